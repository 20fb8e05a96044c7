import type { FlowDeclaration } from '#flows/declaration'
import { type CheckOptions, findFaults } from './check.ts'
import { type Declared, type Fault, type Finding, toFault } from './fault.ts'
import { readFlows, unreadable } from './read/files.ts'
import { findFiles } from './read/patterns.ts'

export interface LoadOptions extends CheckOptions {
  /** Paths and patterns are relative to it. Default: the folder of the process. */
  readonly folder?: string
}

export interface LoadedFlows {
  /** The flows without a fault, by name. */
  readonly flows: Readonly<Record<string, FlowDeclaration>>
  /** The file of each of them. */
  readonly files: Readonly<Record<string, string>>
  /** All faults of all files. Only those with `warning: false` forbid the use of a flow. */
  readonly faults: readonly Fault[]
  /** A fault that a further check finds in one of the flows, with its place. */
  toFault(flow: string, finding: Finding): Fault
}

/**
 * Loads and checks the declarations of files: modules (`.ts`, `.js`) by their exports, YAML and JSON by their documents.
 *
 * ```ts
 * const { flows, faults } = await loadFlows(['./flows/*.{ts,yaml}'])
 * ```
 * @param patterns paths or patterns such as `./flows/*.{ts,yaml}`
 */
export async function loadFlows(
  patterns: readonly string[],
  { folder = process.cwd(), ...options }: LoadOptions = {},
): Promise<LoadedFlows> {
  const declared: Declared[] = []
  const read = new Set<string>()
  for (const { pattern, files, fault } of await findFiles(patterns, folder)) {
    if (fault !== undefined) declared.push(unreadable(pattern, fault))
    for (const file of files.filter(file => !read.has(file))) {
      read.add(file)
      declared.push(...(await readFlows(file, folder)))
    }
  }
  const { sound, faults } = findFaults(declared, options)
  return {
    flows: Object.fromEntries(sound.map(({ flow }) => [flow.name, flow])),
    files: Object.fromEntries(sound.map(({ flow, source }) => [flow.name, source.placeOf([]).file ?? ''])),
    faults,
    toFault: (name, finding) => {
      const found = sound.find(({ flow }) => flow.name === name)
      return toFault(found?.flow, finding, found?.source.placeOf(finding.at))
    },
  }
}
