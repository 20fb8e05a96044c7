import { join } from 'node:path'
import type { BuildOptions, Plugin } from 'rolldown'
import { addFiles } from './files.ts'

/** The root of the source tree. */
export const root = join(import.meta.dirname, '..', '..')

/** A published package, which is built from the source tree. */
export interface PackageSource {
  /** Relative to the root. It has the manifest, and after a build `dist`. */
  readonly folder: string
  /** The source of each entry, by its name in `dist`. */
  readonly entries: Readonly<Record<string, string>>
  /** Entries for workflow code too, whose sandbox has no `process` to read the version of Node from. */
  readonly sandboxed?: readonly string[]
  /** The oldest Node that the package supports. Newer syntax is compiled to it. */
  readonly node: string
  /** Requests and responses are written as interfaces, without zod. */
  readonly plainTypes?: true
  /** The code has no blanks. */
  readonly small?: true
  /** Imports of the sources that another package has. */
  readonly instead?: Readonly<Record<string, string>>
  /** The entry of another package that has the same types. */
  readonly typesOf?: string
  /** `of`: the package whose page of errors the messages name. `only`: the codes of that page, if it does not have all. */
  readonly errorPage: { readonly of: string; readonly only?: readonly string[] }
  /** The package has the command and the workflows. */
  readonly runs?: true
}

export const packages = {
  '@lockerflow/client': {
    folder: 'packages/client',
    entries: { index: 'client/index.ts', nexus: 'client/nexus/index.ts' },
    sandboxed: ['nexus'],
    node: '20.19',
    errorPage: {
      of: '@lockerflow/client',
      only: [
        ...['BookingPending', 'CaseInUse', 'DataNotConverted', 'FlowEnded', 'FlowPaused', 'FlowTerminated'],
        ...[
          'InvalidCursor',
          'InvalidFilter',
          'InvalidFlowInput',
          'NoResponseInTime',
          'NoWorkerPolls',
          'TemporalDenied',
        ],
        ...['TemporalFailed', 'TemporalLimitReached', 'TemporalUnreachable', 'UnknownCase'],
      ],
    },
    plainTypes: true,
    small: true,
  },
  '@lockerflow/api': {
    folder: 'packages/api',
    entries: { index: 'packages/build/entries/api.ts', contract: 'packages/build/entries/contract.ts' },
    node: '20.19',
    errorPage: { of: '@lockerflow/api' },
  },
  lockerflow: {
    folder: 'packages/lockerflow',
    entries: {
      api: 'packages/build/entries/api.ts',
      cases: 'packages/build/entries/cases.ts',
      client: 'client/index.ts',
      codec: 'packages/build/entries/codec.ts',
      contract: 'packages/build/entries/contract.ts',
      flows: 'packages/build/entries/ownFlows.ts',
      gateway: 'packages/build/entries/gateway.ts',
      service: 'packages/build/entries/service.ts',
      telemetry: 'packages/build/entries/telemetry.ts',
      testing: 'testing/index.ts',
      worker: 'packages/build/entries/worker.ts',
    },
    node: '24.0',
    errorPage: { of: 'lockerflow' },
    runs: true,
  },
  '@lockerflow/testing': {
    folder: 'packages/testing',
    entries: { index: 'testing/index.ts' },
    node: '20.19',
    errorPage: { of: 'lockerflow' },
    // The service needs Node 24, and is loaded when it starts.
    instead: {
      './embedded/lockers.ts': 'lockerflow/testing',
      './embedded/service.ts': 'lockerflow/testing',
    },
    typesOf: 'lockerflow/testing',
  },
} as const satisfies Record<string, PackageSource>

/** Files of the package, relative to `dist`, that take the place of the sources of workflows. */
export const workflowFiles = {
  'workflows/index.ts': 'workflows/index.js',
  'workflows/pluginEntry.ts': 'workflows/pluginEntry.js',
  'workflows/converters.ts': 'workflows/converters.js',
  'workflows/tracing.ts': 'workflows/tracing.js',
  'worker/workflows.bundle.js': 'workflows.bundle.js',
} as const

/** Everything but our own files comes from the package's dependencies or from Node. */
export function isExternal(id: string): boolean {
  return !/^[.#/\0]/.test(id) && !/^[A-Za-z]:[\\/]/.test(id)
}

/** The check of Node's version: `engines` alone is a warning during the installation. */
const check = 'needed-node'
const checkFile = 'packages/build/entries/neededNode.ts'

/** The command loads the one verb that it runs. An older Node cannot parse the program, so the entry loads it after the check. */
const command = { lockerflow: 'packages/build/entries/command.ts' }

/** An older Node fails before any code runs if a file imports a module of Node that it lacks. */
const withoutSqlite = { 'node:sqlite': join(root, 'packages/build/entries/sqlite.ts') }

/** Names of functions and classes stay, so that stack traces can be read. */
const small = {
  compress: { keepNames: { function: true, class: true } },
  mangle: { toplevel: true, keepNames: { function: true, class: true } },
  codegen: { removeWhitespace: true },
} as const

/** Only files that act when they are loaded have an effect: processes, the command, the child that reads uploads, checks. */
const withEffects =
  /[\\/]main\.ts$|[\\/]cli[\\/]\w+\.ts$|[\\/]packages[\\/]build[\\/]entries[\\/](neededNode|command)\.ts$/

/** One file for each entry, and one for what several share. */
function codeOf(name: string, source: PackageSource): BuildOptions {
  const { entries, runs, instead = {} } = source
  const checked = Object.keys(entries).filter(entry => !source.sandboxed?.includes(entry))
  return {
    cwd: root,
    input: { ...entries, [check]: checkFile, ...(runs && command) },
    external: id => id !== 'node:sqlite' && isExternal(id),
    platform: 'node',
    // Its paths lead from the names of packages into the sources.
    tsconfig: false,
    resolve: { alias: runs ? withoutSqlite : {} },
    treeshake: { moduleSideEffects: id => withEffects.test(id), propertyReadSideEffects: false },
    experimental: { attachDebugInfo: 'none' },
    transform: {
      target: `node${source.node}`,
      define: { packageName: JSON.stringify(name), neededNode: JSON.stringify(source.node.replace(/\.0$/, '')) },
    },
    plugins: [importInstead(instead), ...(runs ? [addFiles(root, workflowFiles)] : [])],
    output: {
      dir: join(root, source.folder, 'dist'),
      chunkFileNames: 'code/[name]-[hash].js',
      assetFileNames: 'code/[name]-[hash][extname]',
      minify: source.small ? small : false,
      comments: { annotation: true, jsdoc: false, legal: true },
      // It runs before the packages that an entry imports, which may fail on an older Node.
      banner: ({ name, isEntry }) => {
        // A chunk that entries share can have the name of one of them.
        if (!isEntry) return ''
        return name in command ? '#!/usr/bin/env node' : checked.includes(name) ? `import './${check}.js'` : ''
      },
    },
  }
}

/** Rolldown bundles the target of an alias even if it is external. */
function importInstead(instead: Readonly<Record<string, string>>): Plugin {
  return {
    name: 'import-instead',
    resolveId: id => (id in instead ? { id: instead[id] ?? id, external: true } : undefined),
  }
}

/** Modules for the bundle of a worker that has workflows of its own. */
function workflowsOf({ folder }: PackageSource): BuildOptions {
  return {
    cwd: root,
    input: Object.keys(workflowFiles).filter(file => file.endsWith('.ts')),
    external: isExternal,
    experimental: { attachDebugInfo: 'none' },
    output: { dir: join(root, folder, 'dist/workflows'), chunkFileNames: '[name].js' },
  }
}

const sources: [string, PackageSource][] = Object.entries(packages)

const config: BuildOptions[] = sources.flatMap(([name, source]) =>
  source.runs ? [codeOf(name, source), workflowsOf(source)] : codeOf(name, source),
)
export default config
