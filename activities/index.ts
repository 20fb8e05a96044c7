// The activities of flows. The worker creates them over one API client; workflows import their types only.
import { asyncLocalStorage, Context } from '@temporalio/activity'
import type { Calendars } from '#activities/calendars'
import type { Api } from '#contract/client'
import { toFlowQueue } from '#contract/terms'
import { flows as builtIn } from '#flows'
import { withinTimeout } from './attemptTimeout.ts'
import { awaitBooking, cancelCase } from './awaitBooking.ts'
import { bookShipments, findUnacknowledged, withCheckedRequest } from './bookShipments.ts'
import { callOperation } from './callOperation.ts'
import { cancelShipments } from './cancelShipments.ts'
import { type AttemptNotes, withCertainAttempts } from './certainAttempts.ts'
import { withApplicationFailures } from './failures.ts'
import { type AttemptContext, importSuggestions } from './importSuggestions.ts'
import type { Booking, BookStepInput, FlowActivities } from './interface.ts'
import { sendNotification } from './notifications.ts'
import { type PlanSettings, planFlow, timeIn } from './plan/index.ts'
import { planAndBook } from './planAndBook.ts'
import { resolveMoment } from './resolveMoment.ts'
import { readShipments } from './shipments.ts'
import { adoptOrphan, cancelOrphan, findOrphans } from './sweep/index.ts'
import { undoBooking } from './undoBooking.ts'

export type { DecisionLinkSettings } from './decisionLinks.ts'
export type { FlowActivities } from './interface.ts'
export type { NotificationSettings } from './notifications.ts'
export { cancellableIn } from './plan/cancellable.ts'
export type { PlanSettings } from './plan/index.ts'
export type { CallbackExpectation } from './plan/pollInterval.ts'

export interface ActivitySettings extends PlanSettings {
  /** Allows plain http, and private and loopback addresses, for files and notifications. For staging only. */
  readonly privateAddresses?: boolean
  /** Without them no step can end by working hours. */
  readonly calendars?: Calendars
}

/** The names of the activities below. A team's own must have others. */
export const activityNames: readonly string[] = Object.keys({
  planFlow: true,
  planAndBook: true,
  bookShipments: true,
  findBookings: true,
  callOperation: true,
  resolveMoment: true,
  readShipments: true,
  cancelShipments: true,
  undoBooking: true,
  importSuggestions: true,
  awaitBooking: true,
  cancelCase: true,
  findOrphans: true,
  cancelOrphan: true,
  adoptOrphan: true,
  sendNotification: true,
} satisfies Record<keyof FlowActivities, true>)

/** Milliseconds. */
const heartbeatInterval = 5_000

export function createActivities(api: Api, settings: ActivitySettings): FlowActivities {
  const {
    profile,
    notifications,
    flows = builtIn,
    calendars,
    privateAddresses: allowPrivateNetworks = false,
  } = settings
  const now = () => timeIn(settings, Date.now())
  type Work<Input, Result> = (api: Api, input: Input) => Promise<Result>
  const limited = <Input, Result>(work: Work<Input, Result>): ((input: Input) => Promise<Result>) => {
    return input => withinTimeout(api, limitedApi => work(limitedApi, input))
  }
  return {
    planFlow: async input => planFlow(settings, input),
    planAndBook: limited((api, input) => planAndBook(api, settings, input)),
    bookShipments: input => bookStep(api, input, now),
    findBookings: limited(findUnacknowledged),
    callOperation: input =>
      withHeartbeat(notes =>
        withCertainAttempts(notes, () => withinTimeout(api, limitedApi => callOperation(limitedApi, input, notes))),
      ),
    resolveMoment: limited((api, input) => resolveMoment(api, calendars, input)),
    readShipments: limited(readShipments),
    cancelShipments: limited(cancelShipments),
    undoBooking: limited(undoBooking),
    importSuggestions: input => {
      const { heartbeat, signal: cancelled } = attemptContext()
      const work = (limitedApi: Api, signal: AbortSignal) =>
        importSuggestions(limitedApi, input, allowPrivateNetworks, { heartbeat, signal })
      return withinTimeout(api, work, cancelled)
    },
    awaitBooking: limited((_, input) => awaitBooking(input)),
    cancelCase: limited((_, input) => cancelCase(input)),
    findOrphans: input => {
      const { client, heartbeat, cancellationSignal } = Context.current()
      const search = { ...input, profile, now: now(), heartbeat: () => heartbeat() }
      return withinTimeout(api, limitedApi => findOrphans(limitedApi, client, search), cancellationSignal)
    },
    cancelOrphan: limited((api, input) =>
      withApplicationFailures(() => cancelOrphan(api, Context.current().client, input, { profile, flows })),
    ),
    adoptOrphan: limited((api, { orphan, flow }) => {
      const { client, info } = Context.current()
      const taskQueue = toFlowQueue(info.taskQueue)
      return withApplicationFailures(() => adoptOrphan(api, client, orphan, { taskQueue, flow, flows }))
    }),
    sendNotification: input =>
      sendNotification(notifications, input, allowPrivateNetworks, Context.current().cancellationSignal),
  }
}

function bookStep(api: Api, given: BookStepInput, now: () => number): Promise<Booking[]> {
  const work = async (limitedApi: Api) => bookShipments(limitedApi, withCheckedRequest(given), now())
  const book = (notes: AttemptNotes) => withCertainAttempts(notes, () => withinTimeout(api, work))
  return given.profile.idempotent ? book(attemptNotes()) : withHeartbeat(book)
}

function attemptNotes(): AttemptNotes {
  // A simulator has no context of the SDK, and makes one attempt.
  const context = asyncLocalStorage.getStore()
  return { earlier: context?.info.heartbeatDetails, note: details => context?.heartbeat(details) }
}

/** Reveals a lost worker long before the timeout of an attempt that may take minutes. */
async function withHeartbeat<Result>(work: (notes: AttemptNotes) => Promise<Result>): Promise<Result> {
  const context = Context.current()
  let details: unknown
  const timer = setInterval(() => context.heartbeat(details), heartbeatInterval)
  try {
    return await work({
      earlier: context.info.heartbeatDetails,
      note: noted => {
        details = noted
        context.heartbeat(details)
      },
    })
  } finally {
    clearInterval(timer)
  }
}

function attemptContext(): AttemptContext {
  const context = Context.current()
  return { signal: context.cancellationSignal, heartbeat: progress => context.heartbeat(progress) }
}
