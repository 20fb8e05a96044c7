import { flows as builtIn } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { builtInWorkflows } from '#flows/versioning'
import { isWarning } from './codes.ts'
import { type Declared, type Fault, type Finding, toFault } from './fault.ts'
import { checkForm } from './form/check.ts'
import { toPlainJson } from './json.ts'
import { checkReferences } from './references/index.ts'
import { checkWays } from './ways/index.ts'

/** The names that a declaration is checked against, in addition to the contract and the machines. */
export interface CheckOptions {
  /** Names of flows that exist already. */
  readonly taken?: Iterable<string>
  /** The activities that the worker registers. Absent: their names are not checked. */
  readonly activities?: Iterable<string>
  /** True if the worker has a calendar file. Absent: it is not checked. */
  readonly calendars?: boolean
}

export interface CheckedFlows {
  readonly sound: readonly { readonly flow: FlowDeclaration; readonly source: Declared }[]
  readonly faults: readonly Fault[]
}

/** Checks values for all faults of their form, references and paths. */
export function findFaults(declared: readonly Declared[], options: CheckOptions = {}): CheckedFlows {
  /** The file of each name; undefined for a flow that no file declares. */
  const names = new Map<string, string | undefined>([...(options.taken ?? [])].map(name => [name, undefined]))
  const sound: { flow: FlowDeclaration; source: Declared }[] = []
  const faults: Fault[] = []
  for (const source of declared) {
    const { value, findings } = source
    const form = findings.length > 0 ? undefined : checkForm(value)
    const all = [...findings]
    if (form?.ok === false) all.push(...form.findings)
    if (form?.ok) {
      const { name } = form.flow
      if (names.has(name)) {
        all.push({
          at: ['name'],
          code: 'NameTaken',
          text: `must be unique, but ${describeOther(name, names.get(name))}.`,
        })
      }
      // A flow with such a name could not be started.
      if (builtInWorkflows.includes(name)) {
        const text = `must be another name, because every worker has a workflow "${name}".`
        all.push({ at: ['name'], code: 'NameTaken', text })
      }
      if (!names.has(name)) names.set(name, source.placeOf([]).file)
      all.push(...checkFlow(form.flow, options))
      if (all.every(({ code }) => isWarning(code))) sound.push({ flow: form.flow, source })
    }
    faults.push(...all.map(finding => toFault(value, finding, source.placeOf(finding.at))))
  }
  return { sound, faults }
}

/** @param file that declares the other flow */
function describeOther(name: string, file: string | undefined): string {
  if (file !== undefined) return `another flow is "${name}", in ${file}`
  return Object.hasOwn(builtIn, name) ? `the built-in flow "${name}" has the name` : `another flow is "${name}"`
}

/** Explores the paths if all references are valid: they would be wrong otherwise. */
function checkFlow(flow: FlowDeclaration, options: CheckOptions): Finding[] {
  const references = checkReferences(flow, options)
  return references.length > 0 ? references : checkWays(flow)
}

/**
 * Checks declarations that are in memory. Never throws.
 *
 * ```ts
 * for (const fault of checkFlows([declaration])) console.error(describeFault(fault))
 * ```
 */
export function checkFlows(flows: Iterable<unknown>, options: CheckOptions = {}): readonly Fault[] {
  return findFaults([...flows].map(toDeclared), options).faults
}

function toDeclared(flow: unknown): Declared {
  return { ...toPlainJson(flow), placeOf: () => ({}) }
}
