import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stringify } from 'yaml'
import { checkFlows, describeFault, type Fault, faultCodes, readDocuments } from '#flows/check'
import type { FlowDeclaration, Step } from '#flows/declaration'
import { findFaults } from '../../flows/check/check.ts'
import { randomFlow } from '../support/flows/randomFlows.ts'
import { seeded } from '../support/seed.ts'

/** LOCKERFLOW_TEST_RUNS asks for more. */
const runs = Number(process.env.LOCKERFLOW_TEST_RUNS ?? 10) * 10

/** A fault names a code, a field and a page. One in a step names the step, which has a name or its place in the list. */
function expectPlace(fault: Fault): void {
  expect(Object.keys(faultCodes)).toContain(fault.code)
  expect(fault.docs).toContain(fault.code.toLowerCase())
  expect(describeFault(fault)).toContain(fault.code)
  const { flow, step, path, message } = fault
  if (step === null && /(^|\.)steps\[\d+\]/.test(message)) expect(message).toContain(`${path}: `)
  else expect(message.startsWith(`${[flow, step, path].filter(Boolean).join('.') || 'the declaration'}: `)).toBe(true)
}

/** The place of a fault: the step by its name, or null for the flow or for a step without one, and the field. */
type Expected = readonly [step: string | null, path: string]

/** A change that makes any declaration invalid, at a step or at the flow. */
interface Damage {
  readonly change: (flow: FlowDeclaration, at: number) => unknown
  readonly place: (flow: FlowDeclaration, at: number) => Expected
}

const nameOf = ({ steps }: FlowDeclaration, at: number) => steps[at]?.name ?? ''

const atFlow = (path: string, change: (flow: FlowDeclaration) => unknown): Damage => ({
  change,
  place: () => [null, path],
})

/** @param step its name afterwards, if that changes */
const atStep = (path: string, change: (step: object) => object, step?: string | null): Damage => ({
  change: (flow, at) => ({ ...flow, steps: flow.steps.map((one, index) => (index === at ? change(one) : one)) }),
  place: (flow, at) => [step === undefined ? nameOf(flow, at) : step, path],
})

const damages: Readonly<Record<string, Damage>> = {
  'no name of the flow': atFlow('name', ({ name: _, ...flow }) => flow),
  'no summary of the flow': atFlow('summary', ({ summary: _, ...flow }) => flow),
  'no steps': atFlow('steps', flow => ({ ...flow, steps: [] })),
  'an unknown field of the flow': atFlow('stpes', flow => ({ ...flow, stpes: [] })),
  'a type of the input that does not exist': atFlow('input.userUid', flow => ({ ...flow, input: { userUid: 'uuid' } })),
  'an unknown field of a step': atStep('windwo', step => ({ ...step, windwo: '1h' })),
  'a step without a kind': atStep('', () => ({ name: 'nothing', summary: 'Nothing.' }), 'nothing'),
  'a step of two kinds': atStep('', step => ({
    ...step,
    ...('sleep' in step ? { ask: { a: {} }, who: 'x', window: null } : { sleep: '1h' }),
  })),
  'a reserved kind': atStep('together', step => ({ ...step, together: [] })),
  'a step without a name': atStep('name', step => ({ ...step, name: undefined }), null),
  'a step with a reserved name': atStep('name', step => ({ ...step, name: 'input' }), 'input'),
  'a condition on a step that does not exist': atStep('when["nowhere.answer"]', step => ({
    ...step,
    when: { 'nowhere.answer': 'yes' },
  })),
  'a name of another step': {
    change: (flow, at) => {
      const { when: _, ...step } = flow.steps[at] as Step
      return { ...flow, steps: [...flow.steps, { ...step, summary: 'Once more.' }] }
    },
    place: (flow, at) => [nameOf(flow, at), 'name'],
  },
  'an output of a step that does not exist': atFlow('outputs.uid', flow => ({
    ...flow,
    outputs: { uid: 'nowhere.uid' },
  })),
}

/** The lines of each step in the YAML of a flow, from 1. */
function linesOfStep(text: string, at: number): { readonly first: number; readonly last: number } {
  const lines = text.split('\n')
  const steps = lines.flatMap((line, index) => (line.startsWith('  - ') ? [index] : []))
  const first = steps[at] ?? 0
  const last = lines.findIndex((line, index) => index > first && !line.startsWith('    '))
  return { first: first + 1, last: last < 0 ? lines.length : last }
}

describe('random invalid declarations are refused with a place, never with an exception', () => {
  test.each(Object.entries(damages))('%s', (_, { change, place }) => {
    fc.assert(
      fc.property(randomFlow('random'), fc.nat(), ({ flow }, number) => {
        const at = number % flow.steps.length
        const damaged = change(flow, at)
        const faults = checkFlows([damaged], { activities: ['work', 'undoWork'] }).filter(({ warning }) => !warning)
        for (const fault of faults) expectPlace(fault)
        expect(faults.map(({ step, path }) => [step, path])).toContainEqual(place(flow, at))
      }),
      seeded(Math.ceil(runs / 10)),
    )
  })

  test('a fault in a step of a YAML file has a line of the step', () => {
    const ofStep = Object.values(damages).filter(
      ({ place }) => place({ steps: [{ name: 'a' }] } as never, 0)[0] === 'a',
    )
    expect(ofStep.length).toBeGreaterThan(3)
    fc.assert(
      fc.property(randomFlow('random'), fc.nat(), fc.constantFrom(...ofStep), ({ flow }, number, { change, place }) => {
        const at = number % flow.steps.length
        const damaged = change(flow, at) as FlowDeclaration
        const text = stringify(damaged, { lineWidth: 0, aliasDuplicateObjects: false })
        const { faults } = findFaults(readDocuments(text, 'flow.yaml'))
        const [step, path] = place(flow, at)
        const found = faults.find(fault => fault.step === step && fault.path === path)
        const { first, last } = linesOfStep(text, damaged.steps.length > flow.steps.length ? flow.steps.length : at)
        expect(found?.line).toBeGreaterThanOrEqual(first)
        expect(found?.line).toBeLessThanOrEqual(last)
        expect(found?.column).toBeGreaterThan(1)
      }),
      seeded(runs),
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
