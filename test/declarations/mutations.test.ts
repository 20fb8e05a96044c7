import { expect, test } from 'vitest'
import { checkFlows, edgesOf, flowDiagram } from '#declarations'
import { bookings, flows } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'

type Path = readonly (string | number)[]

/** Texts for people, and lengths of windows: any of them is as good as another. */
const free = new Set(['summary', 'who', 'leaves', 'window', 'timeout', 'heartbeat'])

/** Other values of the same kind for a leaf of a declaration. */
function othersOf(value: unknown, flow: FlowDeclaration, key: string): unknown[] {
  const states = [
    'WaitForPriorShipment',
    'ReadyForDropOff',
    'WaitForReceiver',
    'ReadyForPickup',
    'Completed',
    'Cancelled',
  ]
  if (typeof value === 'boolean') return [!value]
  if (typeof value !== 'string') return ['changed']
  if (states.includes(value)) return states.filter(state => state !== value)
  if (value in bookings) return Object.keys(bookings).filter(name => name !== value)
  if (['remind', 'ask', 'cancel'].includes(value)) return ['remind', 'ask', 'cancel'].filter(policy => policy !== value)
  if (['assignReceiver', 'release'].includes(value)) return [value === 'release' ? 'assignReceiver' : 'release']
  if (key === 'name') return [`${value}Changed`, ...flow.steps.map(({ name }) => name).filter(name => name !== value)]
  return [`${value}Changed`]
}

interface Mutant {
  readonly flow: FlowDeclaration
  readonly what: string
}

/** Every change of one field: another value, another key, or none. */
function* mutantsOf(flow: FlowDeclaration): Generator<Mutant> {
  for (const { path, value } of fieldsIn(flow, [])) {
    const key = String(path.at(-1))
    if (path.some(part => free.has(String(part)))) continue
    const what = `${flow.name}.${path.join('.')}`
    yield { flow: changed(flow, path, undefined), what: `${what} removed` }
    if (typeof value === 'object' && value !== null) continue
    for (const other of othersOf(value, flow, key)) yield { flow: changed(flow, path, other), what: `${what}=${other}` }
  }
}

function fieldsIn(value: object, at: Path): { path: Path; value: unknown }[] {
  return Object.entries(value).flatMap(([key, below]) => {
    const path = [...at, Array.isArray(value) ? Number(key) : key]
    const inner = typeof below === 'object' && below !== null ? fieldsIn(below, path) : []
    return [{ path, value: below }, ...inner]
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

/** The activities that the worker registers for the built-in flows. */
const activities = ['importSuggestions']

/**
 * A change is caught by the check, or by the picture in the documentation, which a test compares with the declarations. It
 * is harmless if the flow keeps all of its ways.
 */
test.each(Object.values<FlowDeclaration>(flows))('a change of any field of $name is caught or harmless', flow => {
  const ways = JSON.stringify(edgesOf(flow))
  const picture = flowDiagram(flow)
  const mutants = [...mutantsOf(flow)]
  const passing = mutants.filter(mutant => checkFlows([mutant.flow], { activities }).length === 0)
  const unnoticed = passing.filter(mutant => flowDiagram(mutant.flow) === picture)
  const harmful = unnoticed.filter(mutant => JSON.stringify(edgesOf(mutant.flow)) !== ways)
  expect(harmful.map(({ what }) => what)).toEqual([])
  // The check alone catches most of them.
  expect(passing.length).toBeLessThan(mutants.length / 2)
})
