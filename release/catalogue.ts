import { join } from 'node:path'

/** The root of the source tree. */
export const root = join(import.meta.dirname, '..')

/** A published package, which is built from the source tree. */
export interface PackageSource {
  /** Relative to the root. It has the manifest, and after a build `dist`. */
  readonly folder: string
  /** The source of each entry, by its name in `dist`. */
  readonly entries: Readonly<Record<string, string>>
  /** The oldest Node that the package supports. Newer syntax is compiled to it. */
  readonly node: string
  /** Requests and responses are written as interfaces, without zod. */
  readonly plainTypes?: true
}

export const packages = {
  '@lockerflow/client': {
    folder: 'packages/client',
    entries: { index: 'client/index.ts', flows: 'release/entries/flows.ts' },
    node: '20.19',
    plainTypes: true,
  },
} as const satisfies Record<string, PackageSource>
