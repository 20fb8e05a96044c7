import { join } from 'node:path'

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
  /** The code of these sources, by path, for parts that another package has. */
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
        ...['BookingPending', 'CaseInUse', 'FlowEnded', 'FlowTerminated', 'InvalidCursor', 'InvalidFilter'],
        ...[
          'DataNotConverted',
          'FlowPaused',
          'InvalidFlowInput',
          'NoResponseInTime',
          'NoWorkerPolls',
          'TemporalDenied',
          'TemporalFailed',
          'TemporalLimitReached',
          'TemporalUnreachable',
          'UnknownCase',
        ],
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
      'testing/embedded/lockers.ts': "export { startLockers as startEmbedded } from 'lockerflow/testing'",
      'testing/embedded/service.ts': "export { startService as startAlone } from 'lockerflow/testing'",
    },
    typesOf: 'lockerflow/testing',
  },
} as const satisfies Record<string, PackageSource>

/** Everything but our own files comes from the package's dependencies or from Node. */
export function isExternal(id: string): boolean {
  return !/^[.#/\0]/.test(id) && !/^[A-Za-z]:[\\/]/.test(id)
}
