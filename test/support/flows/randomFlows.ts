import fc from 'fast-check'
import type { AskStep, BookStep, FlowDeclaration, RunStep, Step, WaitStep, When } from '#flows/declaration'

/** A declaration, and the events that its flow meets. */
export interface RandomFlow {
  readonly flow: FlowDeclaration
  /** The step in which the flow is cancelled; null for a flow that is not. */
  readonly cancelIn: string | null
  /** Steps that nothing completes before their window has passed. */
  readonly neglected: readonly string[]
  /** Taken one after the other where an event has alternatives. */
  readonly choices: readonly number[]
}

/** Steps that belong together, such as a booking and its waits. */
interface Block {
  readonly steps: readonly Step[]
  readonly neglected: readonly string[]
}

const short = '300ms'
const long = '1h'

/** A parcel is booked, brought and fetched. */
function parcelBlock(at: number): fc.Arbitrary<Block> {
  return fc
    .record({
      isIssue: fc.boolean(),
      neglected: fc.constantFrom<'in' | 'out' | null>('in', 'out', null, null, null, null),
      onTimeout: fc.constantFrom('cancel', 'ask'),
      leaves: fc.boolean(),
    })
    .map(({ isIssue, neglected, onTimeout, leaves }) => {
      const role = `parcel${at}`
      const user = isIssue ? 'ToUserUid' : 'FromUserUid'
      const book: BookStep = {
        name: `book${at}`,
        summary: 'A locker is booked.',
        book: isIssue ? 'CreateLocalShipmentAsIssue' : 'CreateLocalShipmentAsIntake',
        as: isIssue ? { issue: role } : { intake: role },
        request: {
          PupUid: 'pup-1',
          [user]: { from: 'input.userUid' },
          AllowLargerLockers: true,
          AllowOverflowLockers: false,
          Dimension: { width: 10, height: 10, length: 10 },
        },
      }
      const wait = (end: 'in' | 'out'): WaitStep => ({
        name: `${end}${at}`,
        summary: end === 'in' ? 'The parcel is brought.' : 'The parcel is fetched.',
        wait: { [role]: end === 'in' ? 'ReadyForPickup' : 'Completed' },
        ...(neglected === end ? { window: short, onTimeout } : { window: long, onTimeout: 'remind' }),
        ...(end === 'out' && leaves && { leaves: `Parcel ${at} is outside.` }),
      })
      return {
        steps: [book, wait('in'), wait('out')],
        neglected: neglected === null ? [] : [`${neglected}${at}`],
      }
    })
}

/** After `no` and `maybe`, one field has two types. */
const answers: AskStep['ask'] = {
  yes: {},
  no: { why: 'text', isFinal: 'boolean' },
  maybe: { count: 'integer', day: { optional: 'date' }, size: ['small', 'large'], isFinal: 'text' },
}

function askBlock(at: number): fc.Arbitrary<Block> {
  return fc
    .record({
      names: fc.subarray(Object.keys(answers), { minLength: 1 }),
      onTimeout: fc.constantFrom<NonNullable<AskStep['onTimeout']>>('cancel', 'ask', { goTo: 'end' }),
      isNeglected: fc.nat(4).map(value => value === 0),
    })
    .map(({ names, onTimeout, isNeglected }) => {
      const ask: AskStep = {
        name: `ask${at}`,
        summary: 'A person answers.',
        ask: Object.fromEntries(names.map(name => [name, answers[name] ?? {}])),
        who: 'staff',
        ...(isNeglected ? { window: short, onTimeout } : { window: long, onTimeout: 'remind' }),
      }
      return { steps: [ask], neglected: isNeglected ? [ask.name] : [] }
    })
}

function runBlock(at: number): fc.Arbitrary<Block> {
  const undo = fc.constantFrom<RunStep['undo']>('undoWork', 'undoWork', { leaves: `Work ${at} is done.` }, 'nothing')
  return fc.record({ undo, fails: fc.boolean() }).map(({ undo, fails }) => ({
    steps: [
      {
        name: `run${at}`,
        summary: 'Work is done.',
        run: 'work',
        with: { at, fails },
        keep: { at: 'integer', note: { optional: 'text' } },
        undo,
        timeout: '10s',
      },
    ],
    neglected: [],
  }))
}

function otherBlock(at: number): fc.Arbitrary<Block> {
  const steps: Step[] = [
    { name: `sleep${at}`, summary: 'Time passes.', sleep: '50ms' },
    {
      name: `call${at}`,
      summary: 'An account is found.',
      call: 'CreateOrGetAccount',
      request: { emailAddress: 'robin@example.org', firstName: 'Robin', lastName: 'Reader', pickUpPointUid: 'pup-1' },
      keep: ['userUid'],
    },
  ]
  return fc.constantFrom(...steps).map(step => ({ steps: [step], neglected: [] }))
}

/** Valid declarations of one to seven blocks, each possibly under the condition of an answer. */
export function randomFlow(name: string): fc.Arbitrary<RandomFlow> {
  const block = (at: number) => fc.oneof(parcelBlock(at), askBlock(at), runBlock(at), otherBlock(at))
  return fc
    .integer({ min: 1, max: 7 })
    .chain(count =>
      fc.record({
        blocks: fc.tuple(...Array.from({ length: count }, (_, at) => block(at))),
        conditions: fc.array(fc.nat(), { minLength: count, maxLength: count }),
        cancelIn: fc.option(fc.nat()),
        choices: fc.array(fc.nat(), { minLength: 20, maxLength: 20 }),
      }),
    )
    .map(({ blocks, conditions, cancelIn, choices }) => {
      const steps = blocks.flatMap((each, index) =>
        withCondition(each.steps, blocks.slice(0, index), conditions[index]),
      )
      const asks = steps.filter(step => 'ask' in step)
      const flow: FlowDeclaration = {
        name,
        summary: 'A flow of a property test.',
        input: { userUid: 'uid' },
        steps,
        outputs: Object.fromEntries(asks.map(({ name }) => [`${name}Answer`, `${name}.answer`])),
      }
      return {
        flow,
        cancelIn: cancelIn === null ? null : (steps[cancelIn % steps.length]?.name ?? null),
        neglected: blocks.flatMap(each => each.neglected),
        choices,
      }
    })
}

/** Every other block depends on an earlier question, if there is one with several answers: on its answer, or on a field. */
function withCondition(steps: readonly Step[], before: readonly Block[], choice = 0): readonly Step[] {
  const asks = before.flatMap(({ steps: [first] }) => (first !== undefined && 'ask' in first ? [first] : []))
  const asked = asks.filter(({ ask }) => Object.keys(ask).length > 1)
  const ask = choice % 2 === 0 ? undefined : asked[choice % asked.length]
  if (ask === undefined) return steps
  const all: When[] = [...Object.keys(ask.ask).map(name => ({ [`${ask.name}.answer`]: name })), ...flagConditions(ask)]
  // An integer, since `choice` is odd here.
  const when = all[((choice - 1) / 2) % all.length] ?? {}
  return steps.map(step => ({ ...step, when }))
}

/** Conditions on `false`, which an absent field equals too, except in a list. */
function flagConditions({ name, ask }: AskStep): When[] {
  const path = `${name}.isFinal` as const
  return 'no' in ask ? [{ [path]: false }, { not: { [path]: false } }, { [path]: { in: [false] } }] : []
}
