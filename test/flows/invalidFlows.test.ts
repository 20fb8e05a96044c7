import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { checkFlows, describeFault, type Fault, faultCodes } from '#declarations'
import type { FlowDeclaration } from '#flows/declaration'
import { randomFlow } from '../support/flows/randomFlows.ts'
import { seeded } from '../support/seed.ts'

/** LOCKERFLOW_TEST_RUNS asks for more. */
const runs = Number(process.env.LOCKERFLOW_TEST_RUNS ?? 10) * 10

/** A fault names a code, a field and a page; one in a step names the step. */
function expectPlace(fault: Fault): void {
  expect(Object.keys(faultCodes)).toContain(fault.code)
  expect(fault.message).toMatch(/: .+/s)
  expect(fault.docs).toContain(fault.code.toLowerCase())
  expect(describeFault(fault)).toContain(fault.code)
}

/** A change that makes any declaration invalid, at a step or at the flow. */
type Damage = (flow: FlowDeclaration, at: number) => unknown

const atStep =
  (change: (step: object) => object): Damage =>
  (flow, at) => ({ ...flow, steps: flow.steps.map((step, index) => (index === at ? change(step) : step)) })

const damages: Readonly<Record<string, Damage>> = {
  'no name of the flow': ({ name: _, ...flow }) => flow,
  'no summary of the flow': ({ summary: _, ...flow }) => flow,
  'no steps': flow => ({ ...flow, steps: [] }),
  'an unknown field of the flow': flow => ({ ...flow, stpes: [] }),
  'a type of the input that does not exist': flow => ({ ...flow, input: { userUid: 'uuid' } }),
  'an unknown field of a step': atStep(step => ({ ...step, windwo: '1h' })),
  'a step without a kind': atStep(() => ({ name: 'nothing', summary: 'Nothing.' })),
  'a step of two kinds': atStep(step => ({
    ...step,
    ...('sleep' in step ? { ask: { a: {} }, who: 'x', window: null } : { sleep: '1h' }),
  })),
  'a reserved kind': atStep(({ ...step }) => ({ ...step, together: [] })),
  'a step without a name': atStep(step => ({ ...step, name: undefined })),
  'a step with a reserved name': atStep(step => ({ ...step, name: 'input' })),
  'a condition on a step that does not exist': atStep(step => ({ ...step, when: { 'nowhere.answer': 'yes' } })),
  'a name of another step': (flow, at) => ({
    ...flow,
    steps: [...flow.steps, { ...flow.steps[at], when: undefined, summary: 'Once more.' }],
  }),
  'an output of a step that does not exist': flow => ({ ...flow, outputs: { uid: 'nowhere.uid' } }),
}

describe('random invalid declarations are refused with a place, never with an exception', () => {
  test.each(Object.entries(damages))('%s', (_, damage) => {
    fc.assert(
      fc.property(randomFlow('random'), fc.nat(), ({ flow }, at) => {
        const faults = checkFlows([damage(flow, at % flow.steps.length)], { activities: ['work', 'undoWork'] })
        expect(faults.filter(({ warning }) => !warning)).not.toEqual([])
        for (const fault of faults) expectPlace(fault)
      }),
      seeded(Math.ceil(runs / 10)),
    )
  })

  test('any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        const faults = checkFlows([value])
        expect(faults.length).toBeGreaterThan(0)
        for (const fault of faults) expectPlace(fault)
      }),
      seeded(runs),
    )
  })

  test('any JSON in place of a field of a valid declaration', () => {
    fc.assert(
      fc.property(randomFlow('random'), fc.nat(), fc.jsonValue(), ({ flow }, at, value) => {
        for (const fault of checkFlows([replaceAt(flow, at, value)])) expectPlace(fault)
      }),
      seeded(runs),
    )
  })
})

/** Replaces one value anywhere in a declaration, by its place in the order of a walk. */
function replaceAt(value: unknown, at: number, replacement: unknown): unknown {
  const places: (readonly (string | number)[])[] = []
  const walk = (below: unknown, path: readonly (string | number)[]) => {
    places.push(path)
    if (typeof below !== 'object' || below === null) return
    for (const [key, member] of Object.entries(below)) walk(member, [...path, key])
  }
  walk(value, [])
  return set(value, places[at % places.length] ?? [], replacement)
}

function set(value: unknown, [key, ...rest]: readonly (string | number)[], replacement: unknown): unknown {
  if (key === undefined) return replacement
  const copy = structuredClone(value) as Record<string | number, unknown>
  copy[key] = set(copy[key], rest, replacement)
  return copy
}
