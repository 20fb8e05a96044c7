import type { FlowDeclaration } from '#flows/declaration'
import { type Fault, type FieldPath, type Finding, type Place, toFault } from './fault.ts'
import { checkForm } from './form/check.ts'
import { toPlainJson } from './json.ts'

/** What a declaration is checked against, beside the contract and the machines. */
export interface CheckOptions {
  /** Names of flows that exist already. */
  readonly taken?: Iterable<string>
  /** The activities that the worker registers. Absent: their names are not checked. */
  readonly activities?: Iterable<string>
}

/** A value that should be a declaration, and the places of its fields. */
export interface Declared {
  readonly value: unknown
  /** Found while it was read. */
  readonly findings: readonly Finding[]
  placeOf(at: FieldPath): Place
}

export interface CheckedFlows {
  readonly sound: readonly { readonly flow: FlowDeclaration; readonly source: Declared }[]
  readonly faults: readonly Fault[]
}

/** Checks values for all faults of their form, references and ways. */
export function findFaults(declared: readonly Declared[], { taken = [] }: CheckOptions = {}): CheckedFlows {
  const names = new Set(taken)
  const sound: { flow: FlowDeclaration; source: Declared }[] = []
  const faults: Fault[] = []
  for (const source of declared) {
    const { value, findings } = source
    const form = findings.length > 0 ? undefined : checkForm(value)
    const all = [...findings]
    if (form?.ok === false) all.push(...form.findings)
    if (form?.ok) {
      const { name } = form.flow
      if (names.has(name))
        all.push({ at: ['name'], code: 'NameTaken', text: `must be unique, but another flow is "${name}".` })
      names.add(name)
      if (all.length === 0) sound.push({ flow: form.flow, source })
    }
    faults.push(...all.map(finding => toFault(value, finding, source.placeOf(finding.at))))
  }
  return { sound, faults }
}

/** Checks declarations that are in memory. Never throws. */
export function checkFlows(flows: Iterable<unknown>, options: CheckOptions = {}): readonly Fault[] {
  return findFaults([...flows].map(toDeclared), options).faults
}

function toDeclared(flow: unknown): Declared {
  return { ...toPlainJson(flow), placeOf: () => ({}) }
}
