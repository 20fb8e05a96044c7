import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkFlows, type Fault } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import { randomBlocks } from '../../support/blocks/randomBlocks.ts'
import { seeded } from '../../support/seed.ts'

/** LOCKERFLOW_TEST_RUNS asks for more. */
const parameters = seeded(Number(process.env.LOCKERFLOW_TEST_RUNS ?? 150))
console.info(`wrong blocks: LOCKERFLOW_TEST_SEED=${parameters.seed}`)

type Fields = Record<string, unknown>

/** The objects of a declaration, the outermost first. */
function objectsIn(value: unknown): Fields[] {
  if (typeof value !== 'object' || value === null) return []
  const inner = Object.values(value).flatMap(objectsIn)
  return Array.isArray(value) ? inner : [value as Fields, ...inner]
}

const stepsIn = (flow: FlowDeclaration) => objectsIn(flow.steps).filter(step => 'name' in step && 'summary' in step)
const withField = (field: string) => (flow: FlowDeclaration) => stepsIn(flow).filter(step => field in step)

/** A change that makes a flow wrong, of one of the places where it can be made. */
interface Mistake {
  readonly places: (flow: FlowDeclaration) => readonly Fields[]
  readonly make: (place: Fields) => void
}

const nested = (depth: number): object =>
  depth === 0
    ? { name: 'deep', summary: 'Deep.', sleep: '1h' }
    : { name: `deep${depth}`, summary: 'Deep.', group: [nested(depth - 1)] }

const mistakes: Record<string, Mistake> = {
  'a step without a name': { places: stepsIn, make: step => Reflect.deleteProperty(step, 'name') },
  'a name of another type': { places: stepsIn, make: step => Object.assign(step, { name: 5 }) },
  'a field that no step has': { places: stepsIn, make: step => Object.assign(step, { unknown: 1 }) },
  'a step without a kind': {
    places: withField('run'),
    make: step => Reflect.deleteProperty(step, 'run'),
  },
  'a step of two kinds': { places: withField('ask'), make: step => Object.assign(step, { sleep: '1h' }) },
  'a window of another type': { places: withField('ask'), make: step => Object.assign(step, { window: 5 }) },
  'an unknown policy': {
    places: withField('ask'),
    make: step => Object.assign(step, { window: '1h', onTimeout: 'x' }),
  },
  'a step that is not there': {
    places: withField('ask'),
    make: step => Object.assign(step, { window: '1h', onTimeout: { goTo: 'nowhere' } }),
  },
  'an unknown role': {
    places: withField('wait'),
    make: step => Object.assign(step, { wait: { nobody: 'Completed' } }),
  },
  'an unknown state': {
    places: withField('wait'),
    make: step => Object.assign(step, { wait: { [String(Object.keys(step.wait as object)[0])]: 'Lost' } }),
  },
  'a role of an operation that has none': {
    places: withField('book'),
    make: step => Object.assign(step, { as: { nobody: 'role' } }),
  },
  'an unknown operation': { places: withField('book'), make: step => Object.assign(step, { book: 'CreateNothing' }) },
  'an unknown code': { places: withField('book'), make: step => Object.assign(step, { onError: { Nothing: 'fail' } }) },
  'an unknown path': { places: withField('run'), make: step => Object.assign(step, { with: { from: 'nobody.done' } }) },
  'a condition on an unknown path': {
    places: stepsIn,
    make: step => Object.assign(step, { when: { 'nobody.done': 'yes' } }),
  },
  'a list without a limit': { places: withField('forEach'), make: step => Reflect.deleteProperty(step, 'atMost') },
  'a limit that is too large': { places: withField('forEach'), make: step => Object.assign(step, { atMost: 51 }) },
  'a list that is no list': {
    places: withField('forEach'),
    make: step => Object.assign(step, { forEach: 'input.PupUid' }),
  },
  'a key that items do not have': { places: withField('forEach'), make: step => Object.assign(step, { key: 'name' }) },
  'rounds without a limit': { places: withField('repeat'), make: step => Object.assign(step, { repeat: {} }) },
  'more branches than there are': {
    places: withField('parallel'),
    make: step => Object.assign(step, { until: { atLeast: 9 } }),
  },
  'a single branch': {
    places: withField('parallel'),
    make: step => Object.assign(step, { parallel: (step.parallel as unknown[]).slice(0, 1) }),
  },
  'two branches of one name': {
    places: withField('parallel'),
    make: step => {
      for (const branch of step.parallel as Fields[]) branch.name = 'same'
    },
  },
  'a branch that reads another one': {
    places: withField('parallel'),
    make: step => {
      const [first, second] = step.parallel as [{ steps: object[] }, { steps: object[] }]
      first.steps.unshift({ name: 'mine', summary: 'Mine.', ask: { yes: {} }, who: 'staff', window: null })
      second.steps.unshift({ name: 'other', summary: 'Other.', sleep: '1h', when: { 'mine.answer': 'yes' } })
    },
  },
  'a list without steps': { places: withField('group'), make: step => Object.assign(step, { group: [] }) },
  'blocks that are too deep': { places: withField('group'), make: step => Object.assign(step, { group: [nested(6)] }) },
  'the item of a list outside of it': {
    places: flow => (withField('forEach')(flow).length > 0 ? [flow as unknown as Fields] : []),
    make: flow => {
      const [loop] = withField('forEach')(flow as unknown as FlowDeclaration)
      const read = { name: 'outside', summary: 'Outside.', sleep: '1h', when: { [`${loop?.item}.sku`]: 'A' } }
      Object.assign(flow, { steps: [...(flow.steps as object[]), read] })
    },
  },
  'a name twice': {
    places: flow => (flow.steps.length > 0 ? [flow as unknown as Fields] : []),
    make: flow => {
      const steps = flow.steps as object[]
      Object.assign(flow, { steps: [...steps, ...structuredClone(steps.slice(0, 1))] })
    },
  },
}

/** Checks a flow: each finding has a sentence and a place, or is about the whole flow. */
function check(flow: unknown): readonly Fault[] {
  const faults = checkFlows([flow])
  for (const { message, docs, code } of faults) {
    expect(message).toMatch(/^.+: .*[.?]$/s)
    expect(docs).toBe(`docs/reference/declaration-faults.md#${code.toLowerCase()}`)
  }
  return faults
}

test.each(Object.entries(mistakes))('%s in random blocks is found, with its place', (_, { places, make }) => {
  fc.assert(
    fc.property(randomBlocks, fc.nat(), (flow, choice) => {
      const copy = structuredClone(flow)
      const found = places(copy)
      fc.pre(found.length > 0)
      make(found[choice % found.length] as Fields)
      const faults = check(copy).filter(({ warning }) => !warning)
      expect(faults.length).toBeGreaterThan(0)
      expect(faults.filter(({ step, path }) => step === null && path === '')).toEqual([])
    }),
    { ...parameters, numRuns: Math.ceil(parameters.numRuns / 15), maxSkipsPerRun: 1_000 },
  )
})

/** Values that stand in for any other. */
const others = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(undefined, null, '', [], {}, -1, 'end', 'done', '__proto__', 'input.parts', 'constructor'),
  fc.constantFrom<unknown>(
    { from: 'input.flag' },
    { goTo: 'end' },
    'cancel',
    '1h',
    { from: 'constructor.name' },
    'all',
  ),
)

test('any changes of random blocks are checked without an exception', () => {
  fc.assert(
    fc.property(
      randomBlocks,
      fc.array(fc.tuple(fc.nat(), fc.nat(), others, fc.boolean()), { minLength: 1, maxLength: 3 }),
      (flow, changes) => {
        const copy = structuredClone(flow)
        for (const [place, field, other, isSwap] of changes) {
          const objects = objectsIn(copy)
          const object = objects[place % objects.length] as Fields
          const keys = Object.keys(object)
          const key = keys[field % Math.max(1, keys.length)] ?? 'unknown'
          // A field of the same name has a value of the same kind, which is wrong at another place.
          const namesakes = objects.flatMap(each => (Object.hasOwn(each, key) ? [each[key]] : []))
          const value = isSwap ? structuredClone(namesakes[place % Math.max(1, namesakes.length)]) : other
          if (value === undefined) Reflect.deleteProperty(object, key)
          else Object.assign(object, { [key]: value })
        }
        check(copy)
      },
    ),
    parameters,
  )
})
