import { describe, expect, test } from 'vitest'
import {
  type Cause,
  type Json,
  outputLimits,
  type PlannedBook,
  type PlannedCall,
  type PlannedRun,
  type PlannedStep,
} from '#flows'
import type { WorkOutcome } from '../../workflows/pending.ts'
import type { FlowProgress, UndoEntry } from '../../workflows/progress.ts'
import { applyOutcome as applyAt, type StepEnd } from '../../workflows/settle.ts'
import { moveTo, rootOf } from '../../workflows/tokens.ts'
import { heldIn, issueSteps, planOf, progressIn } from '../support/flows/progress.ts'

const [booking, dropOff] = issueSteps
const onError = {
  NoLockerAvailable: { goTo: 'later' },
  InvalidUserUid: 'continue',
  AccessDenied: 'fail',
  // Declarations cannot name it. A plan of an older worker can, but the code of a fault fails the flow.
  BookingGivenUp: 'continue',
} as const
const book: PlannedBook = { ...booking, onError }
const call: PlannedCall = {
  name: 'call',
  summary: 'An account is changed.',
  kind: 'call',
  operation: 'SetAccountPickUpPoint',
  request: {},
  window: 1_000,
  cancels: [],
  onError,
}
const run: PlannedRun = {
  name: 'run',
  summary: 'A device is repaired.',
  kind: 'run',
  activity: 'repair',
  with: null,
  keep: { error: 'text' },
  undo: 'nothing',
  timeout: 1_000,
  window: 1_000,
  retry: {},
  cancels: [],
  onError,
}
const later: PlannedStep = { ...dropOff, name: 'later' }

/** Ends the step of the flow's one token. */
function applyOutcome(progress: FlowProgress, outcome: WorkOutcome): StepEnd {
  return applyAt(progress, rootOf(progress), outcome)
}

function refused(type: string, certain = true): WorkOutcome {
  return { kind: 'failed', failure: { type, message: 'No.' }, refused: true, certain }
}

const fault: WorkOutcome = { ...refused('BookingGivenUp', false), refused: false } as WorkOutcome
const failedWith = (type: string, cause?: Cause): StepEnd => ({
  kind: 'fail',
  failure: { type, message: 'No.' },
  ...(cause && { cause }),
})
const reached: StepEnd = { kind: 'advance', to: 1, cause: 'reached' }

interface Row {
  readonly name: string
  readonly step?: PlannedStep
  readonly outcome: WorkOutcome
  readonly way: StepEnd
  readonly outputs?: object
  /** The state of the undo entry afterwards; undefined without one. */
  readonly undo?: 'started' | 'done'
}

const rows: Row[] = [
  { name: 'a booking', outcome: { kind: 'done', output: null }, way: reached, undo: 'done' },
  {
    name: 'an output',
    step: call,
    outcome: { kind: 'done', output: { pupUid: 'P1' } },
    way: reached,
    outputs: { call: { pupUid: 'P1' } },
    undo: 'done',
  },
  { name: 'a refusal that is not declared', outcome: refused('InvalidPupUid'), way: failedWith('InvalidPupUid') },
  {
    name: 'a refusal with the name of a member of every object',
    outcome: refused('constructor'),
    way: failedWith('constructor'),
  },
  {
    name: 'a refusal that is declared to fail',
    outcome: refused('AccessDenied'),
    way: failedWith('AccessDenied', 'error:AccessDenied'),
  },
  {
    name: 'a refusal after which the flow goes on',
    outcome: refused('InvalidUserUid'),
    way: { kind: 'advance', to: 1, cause: 'error:InvalidUserUid' },
    outputs: { booking: { error: 'InvalidUserUid' } },
  },
  {
    name: 'a refusal that leads to a later step',
    outcome: refused('NoLockerAvailable'),
    way: { kind: 'advance', to: 2, cause: 'error:NoLockerAvailable' },
    outputs: { booking: { error: 'NoLockerAvailable' } },
  },
  {
    name: 'a tolerated refusal in the output of a call',
    step: call,
    outcome: { kind: 'done', output: { error: 'NoLockerAvailable', userUid: 'U1' } },
    way: { kind: 'advance', to: 2, cause: 'error:NoLockerAvailable' },
    outputs: { call: { error: 'NoLockerAvailable', userUid: 'U1' } },
    undo: 'done',
  },
  {
    name: 'a call whose response has a field of this name',
    step: call,
    outcome: { kind: 'done', output: { error: 'InvalidPupUid' } },
    way: reached,
    outputs: { call: { error: 'InvalidPupUid' } },
    undo: 'done',
  },
  {
    name: 'an activity of a team whose output has a field of this name',
    step: run,
    outcome: { kind: 'done', output: { error: 'NoLockerAvailable' } },
    way: reached,
    outputs: { run: { error: 'NoLockerAvailable' } },
    undo: 'done',
  },
  {
    name: 'a fault, which no declaration tolerates, even if it names its code',
    outcome: fault,
    way: failedWith('BookingGivenUp'),
    undo: 'started',
  },
  {
    name: 'work that was stopped before it began',
    outcome: { kind: 'stopped', certain: true },
    way: { kind: 'cancel' },
  },
  {
    name: 'work that was stopped and may have taken effect',
    outcome: { kind: 'stopped', certain: false },
    way: { kind: 'cancel' },
    undo: 'started',
  },
]

describe('the end after', () => {
  test.each(rows)('$name', ({ step = book, outcome, way, outputs = {}, undo }) => {
    const progress = progressIn([step, dropOff, later], 0, { undo: [{ step: 0, state: 'started' }] })
    expect(applyOutcome(progress, outcome)).toEqual(way)
    expect(progress.outputs).toEqual(outputs)
    expect(progress.undo).toEqual(undo === undefined ? [] : [{ step: 0, state: undo }])
  })
})

describe('a call with a sentence for a person is noted', () => {
  const leaving: PlannedCall = { ...call, leaves: 'The account is changed.' }
  const tooLarge: WorkOutcome = { kind: 'done', output: { text: 'x'.repeat(outputLimits.step) } }

  test('beside the undo of an earlier step', () => {
    const progress = progressIn([book, leaving], 1, { undo: [{ step: 0, state: 'done' }] })
    applyOutcome(progress, fault)
    expect(progress.undo).toEqual([0, 1].map(step => ({ step, state: 'done' })))
  })

  test.each<[string, UndoEntry['state'], WorkOutcome]>([
    ['that is done', 'done', tooLarge],
    ['that may have taken effect', 'started', fault],
  ])('once, if the step %s has an undo too', (_, state, outcome) => {
    const progress = progressIn([{ ...book, leaves: 'A locker is booked.' }], 0, {
      undo: [{ step: 0, state: 'started' }],
    })
    applyOutcome(progress, outcome)
    expect(progress.undo).toEqual([{ step: 0, state }])
  })

  test('and one without is not', () => {
    const progress = progressIn([call], 0)
    applyOutcome(progress, fault)
    expect(progress.undo).toEqual([])
  })

  test.each<[string, WorkOutcome, boolean]>([
    ['after a fault without a response', { ...fault, certain: false } as WorkOutcome, true],
    ['after a stop without a response', { kind: 'stopped', certain: false }, true],
    ['after an output that is too large', tooLarge, true],
    ['not after a refusal', refused('InvalidPupUid'), false],
    ['not after a stop before its effect', { kind: 'stopped', certain: true }, false],
  ])('%s', (_, outcome, isNoted) => {
    const progress = progressIn([leaving], 0)
    applyOutcome(progress, outcome)
    expect(progress.undo).toEqual(isNoted ? [{ step: 0, state: 'done' }] : [])
  })
})

test.each<[string, PlannedStep, WorkOutcome, UndoEntry[]]>([
  ['that is done', call, { kind: 'done', output: null }, [{ step: 1, state: 'done' }]],
  ['that certainly had no effect', call, refused('InvalidPupUid'), []],
  ['that may have had one', call, fault, [{ step: 1, state: 'started' }]],
])('the end of a step %s leaves the undo of an earlier step as it is', (_, step, outcome, own) => {
  // A run step whose failure the flow tolerates may have taken effect, and is undone as such.
  const begun = [0, 1].map((step): UndoEntry => ({ step, state: 'started' }))
  const progress = progressIn([dropOff, step], 1, { undo: begun })
  applyOutcome(progress, outcome)
  expect(progress.undo).toEqual([{ step: 0, state: 'started' }, ...own])
})

test('the shipment of a call that cancels it is cancelled, unless the service refuses', () => {
  const cancelling: PlannedCall = {
    ...call,
    operation: 'CancelShipment',
    request: { shipmentUid: { from: 'issue.shipmentUid' } },
  }
  const stateAfter = (output: Json) => {
    const progress = progressIn([cancelling, dropOff, later], 0, { shipments: [heldIn('ReadyForDropOff')] })
    applyOutcome(progress, { kind: 'done', output })
    return progress.lockers.shipments.map(({ stateCode }) => stateCode)
  }
  expect(stateAfter({})).toEqual(['Cancelled'])
  expect(stateAfter({ error: 'InvalidUserUid' })).toEqual(['ReadyForDropOff'])
})

describe('outputs', () => {
  test('of one step are limited', () => {
    const progress = progressIn([call], 0)
    const outputOf = (bytes: number) => ({ text: 'x'.repeat(bytes - '{"text":""}'.length) })
    expect(applyOutcome(progressIn([call], 0), { kind: 'done', output: outputOf(outputLimits.step) })).toEqual(reached)
    expect(applyOutcome(progress, { kind: 'done', output: outputOf(outputLimits.step + 1) })).toMatchObject({
      kind: 'fail',
      failure: {
        type: 'OutputTooLarge',
        message: expect.stringMatching(/^The output after step call must have at most/),
      },
    })
    expect(progress.outputs).toEqual({})
  })

  test('of all steps together are limited', () => {
    const text = 'x'.repeat(outputLimits.step - 100)
    const count = Math.floor(outputLimits.flow / outputLimits.step) + 1
    const names = Array.from({ length: count }, (_, index) => `call${index}`)
    const progress = progressIn(
      names.map(name => ({ ...call, name })),
      0,
    )
    const ways = names.map((_, step) => {
      moveTo(rootOf(progress), step)
      return applyOutcome(progress, { kind: 'done', output: { text } })
    })
    expect(ways.slice(0, -1).every(({ kind }) => kind === 'advance')).toBe(true)
    expect(ways.at(-1)).toMatchObject({
      kind: 'fail',
      failure: { type: 'OutputTooLarge', message: expect.stringMatching(/^All outputs after step/) },
    })
  })

  test('of the flow are limited, which can copy one of a step', () => {
    const copies = Array.from({ length: 100 }, (_, index) => [`copy${index}`, 'call.text'] as const)
    const plan = planOf([call], { outputs: Object.fromEntries(copies) })
    const output = { text: 'x'.repeat(outputLimits.step - 20) }
    expect(applyOutcome(progressIn([call], 0, { plan }), { kind: 'done', output })).toMatchObject({
      kind: 'fail',
      failure: { type: 'OutputTooLarge', message: expect.stringMatching(/^The outputs of the flow after step/) },
    })
  })
})

test('a step leads forward only', () => {
  const step: PlannedCall = { ...call, onError: { NoLockerAvailable: { goTo: 'call' } } }
  const outcome: WorkOutcome = { kind: 'done', output: { error: 'NoLockerAvailable' } }
  expect(() => applyOutcome(progressIn([step], 0), outcome)).toThrow('leads to call')
})
