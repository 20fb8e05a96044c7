import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundleOption, type WorkflowBundleWithSourceMap } from '@temporalio/worker'

const entry = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))

/**
 * The one definition of the bundle that workers run: production prebuilds it, development builds it at start. Its modules
 * are loaded once and not for each flow (docs/performance.md), so none of them may keep what one flow writes.
 */
export function bundleFlows(workflowsPath = entry): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({ workflowsPath, preloadModules: [workflowsPath], logger: quiet })
}

/** Writes the bundle to a file, for workers that LOCKERFLOW_WORKFLOW_BUNDLE leads there. */
export async function prebuildFlows(file: string): Promise<void> {
  const { code } = await bundleFlows()
  await writeFile(file, code)
}

/** What workflows/versioning.ts asks for; in front of the first line, so that the lines stay as they are. */
const mark = 'globalThis.lockerflowIsVersioned = true;'

/** The bundle for a worker that is a build: Temporal refuses the versioning behaviour of workflows from any other. */
export async function markVersioned(bundle: WorkflowBundleOption): Promise<WorkflowBundleOption> {
  const code = 'codePath' in bundle ? await readFile(bundle.codePath, 'utf8') : bundle.code
  return { code: mark + code }
}

/** The bundler's own progress is nobody's concern; its errors are thrown. */
const quiet = {
  log() {},
  trace() {},
  debug() {},
  info() {},
  warn() {},
  error() {},
}
