import { expect, test } from 'vitest'
import type { PlannedAsk, PlannedSleep } from '#flows'
import {
  createContext,
  isAfterReset,
  listLeftOver,
  type PlannedFlow,
  requirePlanned,
  restore,
} from '../../workflows/context.ts'
import { toNextPoll } from '../../workflows/lockers/polls.ts'
import { isComplete, nextAction } from '../../workflows/next.ts'
import type { FlowProgress } from '../../workflows/progress.ts'
import type { RunInfo, Runtime } from '../../workflows/runtime.ts'
import { findPicture, toStatus } from '../../workflows/status.ts'
import { validate } from '../../workflows/updates/decide.ts'
import { findEarly } from '../../workflows/updates/earlyAnswers.ts'
import { issueSteps, planOf } from '../support/flows/progress.ts'
import type { RecordedField } from './recordedFields.ts'

const noon = Date.parse('2026-11-20T12:00:00Z')
const signals = { cancelled: false, released: undefined, poll: false, pending: undefined, continueAsNew: false }

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
  step: 3,
  entered: true,
  since: noon,
  deadline: null,
  resolving: true,
  nextPoll: null,
  pollCount: 3,
  unconfirmed: { claims: [], polls: 1, nextPoll: noon },
  calledBack: true,
  overdue: true,
  overdueSince: noon,
  outOfService: { step: 1, asked: true },
  way: [{ step: 0, cause: 'reached', next: 1, at: noon }],
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
  outputs: { quote: { cents: 4_900 } },
  answered: {},
  undo: [{ step: 0, state: 'done' }],
  rejections: [],
  leftOver: left('an item'),
  duplicatesLeft: left('a duplicate'),
  notificationCount: 1,
  overdueNotice: 'N-1',
  bookingFailure: { type: 'NoLockerAvailable', message: 'No locker is free.' },
  ending: { outcome: 'cancelled' },
  reset: true,
  earlyAnswers: [{ step: 'offer', answer: 'agree' }],
  clock: { ahead: 5_000, target: 5_000 },
} as const

type Carried = Partial<Record<keyof typeof carried, unknown>>

function resume(progress: Carried): PlannedFlow {
  let ahead = 0
  const info = { workflowType: 'issue', runId: 'R', originalExecutionRunId: 'R' } as RunInfo
  const runtime = {
    info: () => info,
    now: () => noon + ahead,
    isCancelRequested: () => false,
    setAhead(milliseconds: number) {
      ahead = milliseconds
    },
  } as Runtime
  const flow = createContext(runtime, info, { caseNo: 'case-1', request: {} })
  restore(flow, progress as FlowProgress)
  return requirePlanned(flow)
}

/** The flow before its end, in which the fields of a waiting flow have their effect. */
const waiting = (progress: Carried, changes: Carried = {}) => resume({ ...progress, ending: undefined, ...changes })
const next = (progress: Carried, step: number) => nextAction(waiting(progress, { step }).progress, signals, noon)

/** Throws unless the decision that answers a notification is taken. */
function decide(progress: Carried): string {
  validate(waiting(progress), { decision: 'extend', by: '1h', notification: 'N-1' })
  return 'taken'
}

/** The effects of the fields that no recorded history depends on. */
const effects: Readonly<Record<Exclude<keyof FlowProgress, RecordedField>, (progress: Carried) => unknown>> = {
  since: progress => toStatus(waiting(progress)).since,
  resolving: progress => isComplete(waiting(progress).progress, pause, noon),
  overdueSince: progress => toStatus(waiting(progress)).overdueSince,
  pollCount: progress => toNextPoll(waiting(progress, { step: 1 }).progress, noon),
  unconfirmed: progress => next(progress, 3),
  calledBack: progress => toNextPoll(waiting(progress, { step: 1, pollCount: 0 }).progress, noon),
  outOfService: progress => next(progress, 1),
  way: progress => findPicture(waiting(progress)),
  leftOver: progress => listLeftOver(resume(progress)),
  duplicatesLeft: progress => listLeftOver(resume(progress)),
  overdueNotice: progress => decide(progress),
  bookingFailure: progress => resume(progress).booking,
  ending: progress => resume(progress).state,
  reset: progress => isAfterReset(resume(progress)),
  earlyAnswers: progress => findEarly(resume(progress), 'offer'),
  clock: progress => resume(progress).runtime.now(),
}

function outcomeOf(effect: (progress: Carried) => unknown, progress: Carried): unknown {
  try {
    return effect(progress)
  } catch (error) {
    return String(error)
  }
}

test.each(Object.entries(effects))(
  'the next run finds %s by the name that older runs have carried',
  (field, effect) => {
    const found = outcomeOf(effect, carried)
    expect(outcomeOf(effect, { ...carried, [field]: undefined })).not.toEqual(found)
  },
)
