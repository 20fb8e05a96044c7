import { expect, test } from 'vitest'
import { canonicalJson } from '#contract/terms'
import { bookings, flows, rolesOf } from '#flows'
import { checkFlows, edgesOf } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import { flowsPage } from '../../../cli/documentation/flows.ts'

type Path = readonly (string | number)[]

/** Texts for people: any of them is as good as another. */
const texts = new Set(['summary', 'who', 'leaves'])
/** Lengths: any of them is as good as another. */
const lengths = new Set(['window', 'timeout', 'heartbeat'])

const states = [
  'WaitForPriorShipment',
  'ReadyForDropOff',
  'WaitForReceiver',
  'ReadyForPickup',
  'Completed',
  'Cancelled',
]
const policies = ['remind', 'ask', 'cancel']

/** The names and paths that a flow contains, which stand in for each other. */
interface Vocabulary {
  readonly steps: readonly string[]
  readonly roles: readonly string[]
  readonly paths: readonly string[]
}

function vocabularyOf(flow: FlowDeclaration): Vocabulary {
  const roles = Object.keys(rolesOf(flow))
  const found = fieldsIn(flow, []).flatMap(({ value }) =>
    typeof value === 'string' && /^\w+\.[\w.]+$/.test(value) ? [value] : [],
  )
  const paths = new Set([...found, ...roles.map(role => `${role}.shipmentUid`)])
  return { steps: flow.steps.map(({ name }) => name), roles, paths: [...paths] }
}

/** Other values of the same kind for a leaf of a declaration. */
function othersOf(value: unknown, key: string, { steps, roles, paths }: Vocabulary): unknown[] {
  const others = (all: readonly string[]) => all.filter(each => each !== value)
  if (typeof value === 'boolean') return [!value]
  if (typeof value === 'number') return [value + 1, -1]
  if (typeof value !== 'string') return ['changed']
  if (states.includes(value)) return others(states)
  if (value in bookings) return others(Object.keys(bookings))
  if (policies.includes(value)) return [...others(policies), ...['end', ...steps].map(goTo => ({ goTo }))]
  if (key === 'name') return [`${value}Changed`, ...others(steps)]
  if (roles.includes(value)) return [`${value}Changed`, ...others(roles)]
  if (paths.includes(value)) return [`${value}Changed`, ...others(paths)]
  return [`${value}Changed`]
}

/** Other keys, for a record whose keys are roles, paths or names. */
function otherKeysOf(key: string, { roles, paths }: Vocabulary): string[] {
  const kinds = [roles, paths].filter(kind => kind.includes(key))
  return [`${key}Changed`, ...kinds.flat().filter(other => other !== key)]
}

interface Mutant {
  readonly flow: FlowDeclaration
  readonly what: string
}

/** Every change of one field: another value, another key, or none. Steps change their order, and come twice. */
function* mutantsOf(flow: FlowDeclaration): Generator<Mutant> {
  const vocabulary = vocabularyOf(flow)
  for (const { path, value, isKeyed } of fieldsIn(flow, [])) {
    const key = String(path.at(-1))
    if (texts.has(key)) continue
    const what = `${flow.name}.${path.join('.')}`
    yield { flow: changed(flow, path, undefined), what: `${what} removed` }
    if (value !== null) yield { flow: changed(flow, path, null), what: `${what}=null` }
    if (isKeyed) {
      for (const other of otherKeysOf(key, vocabulary))
        yield { flow: renamed(flow, path, other), what: `${what} renamed ${other}` }
    }
    if ((typeof value === 'object' && value !== null) || lengths.has(key)) continue
    for (const other of othersOf(value, key, vocabulary))
      yield { flow: changed(flow, path, other), what: `${what}=${JSON.stringify(other)}` }
  }
  for (const [index, step] of flow.steps.entries()) {
    const rest = flow.steps.toSpliced(index, 1)
    for (let place = 0; place <= rest.length; place++) {
      if (place === index) continue
      yield {
        flow: { ...flow, steps: rest.toSpliced(place, 0, step) },
        what: `${flow.name}.${step.name} moved to ${place}`,
      }
    }
    const again = { ...step, name: `${step.name}Again` }
    yield {
      flow: { ...flow, steps: flow.steps.toSpliced(index + 1, 0, again) },
      what: `${flow.name}.${step.name} twice`,
    }
  }
}

interface DeclaredField {
  readonly path: Path
  readonly value: unknown
  /** In a record, not in a list. */
  readonly isKeyed: boolean
}

function fieldsIn(value: object, at: Path): DeclaredField[] {
  return Object.entries(value).flatMap(([key, below]) => {
    const path = [...at, Array.isArray(value) ? Number(key) : key]
    const inner = typeof below === 'object' && below !== null ? fieldsIn(below, path) : []
    return [{ path, value: below, isKeyed: !Array.isArray(value) }, ...inner]
  })
}

/** A copy with another value at the path; undefined removes it. */
function changed(flow: FlowDeclaration, path: Path, value: unknown): FlowDeclaration {
  const copy = structuredClone(flow)
  const parent = path.slice(0, -1).reduce<object>((below, key) => Reflect.get(below, key) as object, copy)
  const key = path.at(-1) ?? ''
  if (value !== undefined) Reflect.set(parent, key, value)
  else if (Array.isArray(parent)) parent.splice(Number(key), 1)
  else Reflect.deleteProperty(parent, key)
  return copy
}

/** A copy whose field has another key, at the same place. */
function renamed(flow: FlowDeclaration, path: Path, to: string): FlowDeclaration {
  const parentPath = path.slice(0, -1)
  const parent = parentPath.reduce<object>((below, key) => Reflect.get(below, key) as object, flow)
  const entries = Object.entries(parent).map(([key, value]) => [key === path.at(-1) ? to : key, value])
  const copy = Object.fromEntries(entries) as object
  return parentPath.length === 0 ? (copy as FlowDeclaration) : changed(flow, parentPath, copy)
}

/** The activities that the worker registers for the built-in flows. */
const activities = ['importSuggestions']

/** The data that a flow sends, keeps and returns. Two flows with the same ways and the same data do the same. */
function dataOf(flow: FlowDeclaration): string {
  return canonicalJson({
    ...flow,
    steps: flow.steps.map(step => {
      const { name, summary: _, ...rest } = step
      // The window of a step that works, if it declares none.
      return [name, 'wait' in step || 'ask' in step || 'sleep' in step ? rest : { window: '1h', ...rest }]
    }),
  })
}

/**
 * A change is caught by the check, or shows in the generated page of the flow. It is harmless if the flow keeps all of its
 * ways, and sends, keeps and returns the same.
 */
test.each(Object.values<FlowDeclaration>(flows))('a change of any field of $name is caught or harmless', flow => {
  const ways = JSON.stringify(edgesOf(flow))
  const page = flowsPage({ flow })
  const mutants = [...mutantsOf(flow)]
  const passing = mutants.filter(mutant => checkFlows([mutant.flow], { activities }).length === 0)
  const unnoticed = passing.filter(mutant => flowsPage({ flow: mutant.flow }) === page)
  const harmful = unnoticed.filter(
    mutant => JSON.stringify(edgesOf(mutant.flow)) !== ways || dataOf(mutant.flow) !== dataOf(flow),
  )
  expect(harmful.map(({ what }) => what)).toEqual([])
  // The check alone catches most of them. Any path can be an output, so only the page tells one from another.
  const ofSteps = (all: readonly Mutant[]) => all.filter(({ what }) => !what.startsWith(`${flow.name}.outputs.`)).length
  expect(ofSteps(passing)).toBeLessThan(ofSteps(mutants) / 2)
})
