import { expect, test } from 'vitest'
import type { PlannedAsk, PlannedSleep } from '#flows'
import {
  createContext,
  isAfterReset,
  listLeftOver,
  type PlannedFlow,
  requirePlanned,
  restore,
  stateOf,
} from '../../workflows/context.ts'
import { confirmByPoll, toNextPoll } from '../../workflows/lockers/polls.ts'
import { isComplete, nextAction } from '../../workflows/next.ts'
import type { FlowProgress, LockerState } from '../../workflows/progress.ts'
import type { RunInfo, Runtime } from '../../workflows/runtime.ts'
import { findPicture, toStatus } from '../../workflows/status.ts'
import { rootOf, type Token } from '../../workflows/tokens.ts'
import { validate } from '../../workflows/updates/decide.ts'
import { findEarly } from '../../workflows/updates/earlyAnswers.ts'
import { issueSteps, planOf } from '../support/flows/progress.ts'
import type { RecordedField } from './recordedFields.ts'

const noon = Date.parse('2026-11-20T12:00:00Z')
const signals = {
  cancelled: false,
  poll: false,
  work: [],
  resolving: [],
  isFull: false,
  isPolling: false,
  continueAsNew: false,
}

const question: PlannedAsk = {
  name: 'offer',
  summary: 'The customer agrees or not.',
  kind: 'ask',
  answers: { agree: {}, decline: {} },
  who: 'customer',
  window: { length: 60_000 },
  onTimeout: 'ask',
  cancels: [],
}
const pause: PlannedSleep = {
  name: 'pause',
  summary: 'A pause.',
  kind: 'sleep',
  until: { length: 60_000 },
  cancels: [],
}
const steps = [...issueSteps, question, pause]
const left = (reason: string) => [{ step: 'booking', shipmentUid: 'S-2', reason }]

/**
 * The progress of a run that continued as new, as its input has it: these names never change. Not typed, so that renaming a
 * field of the interpreter does not rename it here.
 */
const carried = {
  plan: planOf(steps, { polls: { initial: 60_000, maximum: 3_600_000, untilCallback: 1_000 } }),
  way: [{ step: 0, cause: 'reached', next: 1, at: noon }],
  outputs: { quote: { cents: 4_900 } },
  answered: {},
  undo: [{ step: 0, state: 'done' }],
  rejections: [{ at: noon, what: 'a refusal' }],
  leftOver: left('an item'),
  duplicatesLeft: left('a duplicate'),
  notificationCount: 1,
  ending: { outcome: 'cancelled' },
  reset: true,
  earlyAnswers: [{ step: 'offer', answer: 'agree' }],
  clock: { ahead: 5_000, target: 5_000 },
} as const

/** The fields of its token, and those of its lockers. */
const carriedToken = {
  id: '',
  up: null,
  to: steps.length,
  step: 3,
  entered: true,
  since: noon,
  deadline: null,
  resolving: true,
  overdueSince: noon,
  overdueNotice: 'N-1',
} as const
const carriedLockers = {
  nextPoll: null,
  pollCount: 3,
  polledAt: noon,
  unconfirmed: { claims: [], polls: 1, nextPoll: noon },
  calledBack: true,
  shipments: [
    {
      role: 'issue',
      shipmentUid: 'S-1',
      stateCode: 'ReadyForDropOff',
      stateStart: '',
      pupUid: 'pup-1',
      lockerName: '1',
    },
  ],
  bookings: { booking: { startedAt: noon, booked: true, duplicatesUntil: null } },
  bookingFailure: { type: 'NoLockerAvailable', message: 'No locker is free.' },
  outages: [{ token: '', step: 1, asked: true }],
} as const

const all = { ...carried, ...carriedToken, ...carriedLockers }

/** A progress by its fields: those of its token and its lockers are named like the others. */
type Carried = Partial<Record<keyof typeof all, unknown>>

function resume(fields: Carried): PlannedFlow {
  let ahead = 0
  const info = { workflowType: 'issue', runId: 'R', originalExecutionRunId: 'R' } as RunInfo
  const runtime = {
    info: () => info,
    now: () => noon + ahead,
    isCancelRequested: () => false,
    // A poll does not end in these tests.
    activity: () => new Promise<never>(() => undefined),
    setAhead(milliseconds: number) {
      ahead = milliseconds
    },
  } as unknown as Runtime
  const flow = createContext(runtime, info, { caseNo: 'case-1', request: {} })
  restore(flow, toProgress(fields))
  return requirePlanned(flow)
}

function toProgress(fields: Carried): FlowProgress {
  const pick = (names: object) => Object.fromEntries(Object.entries(fields).filter(([name]) => name in names))
  return { ...pick(carried), tokens: [pick(carriedToken)], lockers: pick(carriedLockers) } as unknown as FlowProgress
}

/** The flow before its end, in which the fields of a waiting flow have their effect. */
const waiting = (fields: Carried, changes: Carried = {}) => resume({ ...fields, ending: undefined, ...changes })
const next = (fields: Carried, step: number) => nextAction(waiting(fields, { step }).progress, signals, noon)

/** Throws unless the decision that answers a notification is taken. */
function decide(fields: Carried): string {
  validate(waiting(fields), { decision: 'extend', by: '1h', notification: 'N-1' })
  return 'taken'
}

/** Those of blocks only, which test/workflows/blocks plays with a continue-as-new between any two actions. */
type OfBlocks = 'up' | 'block' | 'leaving' | 'items'

type Field = Exclude<keyof FlowProgress | keyof Token | keyof LockerState, 'tokens' | 'lockers' | OfBlocks>

/** The effects of the fields that no recorded history depends on. */
const effects: Readonly<Record<Exclude<Field, RecordedField>, (fields: Carried) => unknown>> = {
  id: fields => next(fields, 1),
  since: fields => toStatus(waiting(fields)).since,
  resolving: fields => {
    const { progress } = waiting(fields)
    return isComplete(progress, rootOf(progress), pause, noon)
  },
  pollCount: fields => toNextPoll(waiting(fields, { step: 1 }).progress, noon),
  polledAt: fields => {
    const flow = waiting(fields)
    return confirmByPoll(flow, rootOf(flow.progress))
  },
  unconfirmed: fields => next(fields, 3),
  calledBack: fields => toNextPoll(waiting(fields, { step: 1, pollCount: 0 }).progress, noon),
  outages: fields => next(fields, 1),
  way: fields => findPicture(waiting(fields)),
  leftOver: fields => listLeftOver(resume(fields)),
  duplicatesLeft: fields => listLeftOver(resume(fields)),
  rejections: fields => toStatus(waiting(fields)).rejections,
  overdueNotice: fields => decide(fields),
  bookingFailure: fields => resume(fields).booking,
  ending: fields => stateOf(resume(fields)),
  reset: fields => isAfterReset(resume(fields)),
  earlyAnswers: fields => findEarly(resume(fields), 'offer'),
  clock: fields => resume(fields).runtime.now(),
}

function outcomeOf(effect: (fields: Carried) => unknown, fields: Carried): unknown {
  try {
    return effect(fields)
  } catch (error) {
    return String(error)
  }
}

test.each(Object.entries(effects))(
  'the next run finds %s by the name that older runs have carried',
  (field, effect) => {
    const found = outcomeOf(effect, all)
    expect(outcomeOf(effect, { ...all, [field]: undefined })).not.toEqual(found)
  },
)
