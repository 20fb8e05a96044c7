import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundleOption, type WorkflowBundleWithSourceMap } from '@temporalio/worker'

const entry = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))

/**
 * The only definition of the workflow bundle: production prebuilds it, development builds it at the start. Its modules
 * are loaded once per worker instead of once per flow (docs/explanation/performance.md), so none may store state of a flow.
 */
export function bundleFlows(workflowsPath = entry): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({ workflowsPath, preloadModules: [workflowsPath], logger: quiet })
}

/** Writes the bundle to a file, the value of LOCKERFLOW_WORKFLOW_BUNDLE. */
export async function prebuildFlows(file: string): Promise<void> {
  const { code } = await bundleFlows()
  await writeFile(file, code)
}

/** Read by workflows/versioning.ts. Prepended to the first line, so that the source map stays valid. */
const mark = 'globalThis.lockerflowIsVersioned = true;'

/** The bundle of a versioned worker. Temporal rejects a versioning behaviour from unversioned workers. */
export async function markVersioned(bundle: WorkflowBundleOption): Promise<WorkflowBundleOption> {
  const code = 'codePath' in bundle ? await readFile(bundle.codePath, 'utf8') : bundle.code
  return { code: mark + code }
}

/** Mutes the bundler's progress. Its errors are thrown. */
const quiet = {
  log() {},
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
}
