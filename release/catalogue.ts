import { join } from 'node:path'

/** The root of the source tree. */
export const root = join(import.meta.dirname, '..')

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
  /** The entries are entries of another package, under a name that says what they are for. */
  readonly forwards?: true
  /** The package has the command and the workflows. */
  readonly runs?: true
}

export const packages = {
  '@lockerflow/client': {
    folder: 'packages/client',
    entries: { index: 'client/index.ts', flows: 'release/entries/flows.ts', nexus: 'nexus/index.ts' },
    sandboxed: ['nexus'],
    node: '20.19',
    plainTypes: true,
    small: true,
  },
  lockerflow: {
    folder: 'packages/lockerflow',
    entries: {
      api: 'release/entries/api.ts',
      cases: 'release/entries/cases.ts',
      client: 'client/index.ts',
      contract: 'release/entries/contract.ts',
      flows: 'release/entries/ownFlows.ts',
      gateway: 'release/entries/gateway.ts',
      service: 'release/entries/service.ts',
      testing: 'testing/index.ts',
      worker: 'release/entries/worker.ts',
    },
    node: '24.0',
    runs: true,
  },
  '@lockerflow/testing': {
    folder: 'packages/testing',
    entries: { index: 'lockerflow/testing' },
    node: '24.0',
    forwards: true,
  },
} as const satisfies Record<string, PackageSource>
