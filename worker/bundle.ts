import { existsSync, readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { bundleWorkflowCode, type WorkflowBundleOption, type WorkflowBundleWithSourceMap } from '@temporalio/worker'
import { builtInWorkflows, toVersioningBehavior, type VersioningBehavior } from '#flows/versioning'

export const entry = fileURLToPath(new URL('../workflows/index.ts', import.meta.url))
const converters = fileURLToPath(new URL('../workflows/converters.ts', import.meta.url))
const prebuilt = fileURLToPath(new URL('./workflows.bundle.js', import.meta.url))
const tracing = fileURLToPath(new URL('../workflows/tracing.ts', import.meta.url))

const { version } = createRequire(import.meta.url)('@temporalio/worker/package.json') as { readonly version: string }
/** Begins every bundle. Temporal requires that the worker that runs a bundle has the version of the one that built it. */
const versionMark = `/* @temporalio/worker ${version} */`

/**
 * Returns the bundle of the published package, unless it was built with another version of Temporal's worker. The source
 * tree has none, because its workflows change.
 * @throws Error for a package without its bundle: the worker would otherwise start with a bundler, seconds later
 */
export function readPrebuilt(): string | undefined {
  if (entry.endsWith('.ts')) return undefined
  if (!existsSync(prebuilt)) throw new Error(`${prebuilt} is missing. Install lockerflow again.`)
  const code = readFileSync(prebuilt, 'utf8')
  return code.startsWith(versionMark) ? code : undefined
}

/**
 * The only definition of the workflow bundle: production prebuilds it, development builds it at the start. Its modules
 * are loaded once per worker instead of once per flow to save memory, so none may store state of a flow.
 */
export async function bundleFlows(workflowsPath = entry): Promise<WorkflowBundleWithSourceMap> {
  const built = workflowsPath === entry ? readPrebuilt() : undefined
  if (built !== undefined) return { code: built, sourceMap: '' }
  const { code, sourceMap } = await bundleWorkflowCode({
    workflowsPath,
    payloadConverterPath: converters,
    failureConverterPath: converters,
    workflowInterceptorModules: [tracing],
    preloadModules: [workflowsPath, tracing],
    logger: quiet,
  })
  return { code: versionMark + omitSources(code), sourceMap }
}

/**
 * Stack traces need the names of files and lines. The sources are nearly half of a bundle, which each worker parses at its
 * start: without them a start takes two thirds of the processor time.
 */
function omitSources(code: string): string {
  return code.replace(/(?<=\n\/\/# sourceMappingURL=data:application\/json;charset=utf-8;base64,)\S+/, text => {
    const { sourcesContent: _, ...map } = JSON.parse(Buffer.from(text, 'base64').toString('utf8'))
    return Buffer.from(JSON.stringify(map)).toString('base64')
  })
}

/** Writes the bundle to a file, the value of LOCKERFLOW_WORKFLOW_BUNDLE. */
export async function prebuildFlows(file: string): Promise<void> {
  const { code } = await bundleFlows()
  await writeFile(file, code)
}

/** Properties of a worker that its workflows read from the global object, in the files of the same subject. */
export interface BundleMarks {
  /** By workflow type. Only for a versioned worker: Temporal rejects a versioning behaviour from others. */
  readonly versioning?: Readonly<Record<string, VersioningBehavior>> | undefined
  /** Without a codec, failures stay readable. */
  readonly encrypts: boolean
  /** Without tracing, no span is passed to the worker. */
  readonly traced: boolean
  /** False for a worker without metrics, so that its flows count no steps for it. */
  readonly measured?: boolean
  /** Passes the paths that runs take to the worker. Only for replays. */
  readonly recordsEdges?: boolean
}

/** Marks a bundle. The marks are prepended to the first line, so that the source map stays valid. */
export async function markBundle(bundle: WorkflowBundleOption, marks: BundleMarks): Promise<WorkflowBundleOption> {
  const text = writeMarks(marks)
  if (text === '') return bundle
  const code = 'codePath' in bundle ? await readFile(bundle.codePath, 'utf8') : bundle.code
  return { code: text + code }
}

/** Writes the marks as a statement for each. */
export function writeMarks(marks: BundleMarks): string {
  const { versioning, encrypts, traced, measured = true, recordsEdges = false } = marks
  return [
    ...(versioning ? [`globalThis.lockerflowVersioning = ${JSON.stringify(versioning)};`] : []),
    ...(encrypts ? ['globalThis.lockerflowEncryptsFailures = true;'] : []),
    ...(traced ? ['globalThis.lockerflowIsTraced = true;'] : []),
    ...(measured ? [] : ['globalThis.lockerflowIsMeasured = false;']),
    ...(recordsEdges ? ['globalThis.lockerflowRecordsEdges = true;'] : []),
  ].join('')
}

/** The versioning behaviour of every workflow type that a worker declares. */
export function toVersioningTable(
  declared: Readonly<Record<string, Parameters<typeof toVersioningBehavior>[0]>>,
): Readonly<Record<string, VersioningBehavior>> {
  return Object.fromEntries([
    ...builtInWorkflows.map(name => [name, 'PINNED'] as const),
    ...Object.entries(declared).map(([name, flow]) => [name, toVersioningBehavior(flow)] as const),
  ])
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
