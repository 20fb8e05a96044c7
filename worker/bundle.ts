import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundleOption, type WorkflowBundleWithSourceMap } from '@temporalio/worker'

const entry = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))
const failureConverterPath = fileURLToPath(new URL('../workflows/failureConverter.ts', import.meta.url))
const tracing = fileURLToPath(new URL('../workflows/tracing.ts', import.meta.url))

/**
 * The only definition of the workflow bundle: production prebuilds it, development builds it at the start. Its modules
 * are loaded once per worker instead of once per flow (docs/explanation/performance.md), so none may store state of a flow.
 */
export function bundleFlows(workflowsPath = entry): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    workflowsPath,
    failureConverterPath,
    workflowInterceptorModules: [tracing],
    preloadModules: [workflowsPath, tracing],
    logger: quiet,
  })
}

/** Writes the bundle to a file, the value of LOCKERFLOW_WORKFLOW_BUNDLE. */
export async function prebuildFlows(file: string): Promise<void> {
  const { code } = await bundleFlows()
  await writeFile(file, code)
}

/** Properties of a worker that its workflows read from the global object, in the files of the same subject. */
const marks = {
  /** Temporal rejects a versioning behaviour from unversioned workers. */
  versioned: 'globalThis.lockerflowIsVersioned = true;',
  /** Without a codec, failures stay readable. */
  encrypts: 'globalThis.lockerflowEncryptsFailures = true;',
  /** Without tracing, no span is passed to the worker. */
  traced: 'globalThis.lockerflowIsTraced = true;',
} as const

/** Marks a bundle. The marks are prepended to the first line, so that the source map stays valid. */
export async function markBundle(
  bundle: WorkflowBundleOption,
  properties: Readonly<Record<keyof typeof marks, boolean>>,
): Promise<WorkflowBundleOption> {
  const names = Object.keys(marks) as (keyof typeof marks)[]
  const set = names.filter(name => properties[name]).map(name => marks[name])
  if (set.length === 0) return bundle
  const code = 'codePath' in bundle ? await readFile(bundle.codePath, 'utf8') : bundle.code
  return { code: set.join('') + code }
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
