import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundleWithSourceMap } from '@temporalio/worker'

const entry = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))

/** The one definition of the bundle that workers run: production prebuilds it, development builds it at start. */
export function bundleFlows(workflowsPath = entry): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({ workflowsPath, logger: quiet })
}

/** Writes the bundle to a file, for workers that LOCKERFLOW_WORKFLOW_BUNDLE leads there. */
export async function prebuildFlows(file: string): Promise<void> {
  const { code } = await bundleFlows()
  await writeFile(file, code)
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
