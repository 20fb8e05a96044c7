// The activities of flows. The worker creates them over one API client; workflows import their types only.
import { Context } from '@temporalio/activity'
import type { Api } from '#api'
import { flows } from '#flows'
import { createOrGetAccount, setAccountMutationConfig, setAccountPickUpPoint } from './accounts.ts'
import { bookShipments, findUnacknowledged, planAndBook } from './bookShipments.ts'
import { cancelKeptBooking, cancelShipments } from './cancelShipments.ts'
import { checkDeclarations } from './declarations/check.ts'
import { withApplicationFailures } from './failures.ts'
import { type AttemptContext, importSuggestions } from './importSuggestions.ts'
import type { FlowActivities } from './interface.ts'
import { sendNotification } from './notifications.ts'
import { type PlanSettings, planFlow } from './plan/index.ts'
import { assignReceiver, readShipments } from './shipments.ts'
import { adoptOrphan, cancelOrphan, findOrphans } from './sweep/index.ts'
import { undoBooking } from './undoBooking.ts'

export type { FlowActivities } from './interface.ts'
export type { NotificationSettings } from './notifications.ts'
export type { CallbackExpectation, PlanSettings } from './plan/index.ts'
export { cancellableIn } from './plan/steps.ts'

export interface ActivitySettings extends PlanSettings {
  /** Allows plain http, and private and loopback addresses, for files and notifications. For staging only. */
  readonly privateAddresses?: boolean
}

/** Milliseconds. */
const heartbeatInterval = 5_000

/** @throws Error for invalid declarations, with a line per fault */
export function createActivities(api: Api, settings: ActivitySettings): FlowActivities {
  checkDeclarations(settings.flows ?? flows)
  const { profile, notifications, privateAddresses: allowPrivateNetworks = false } = settings
  return {
    planFlow: async input => planFlow(settings, input),
    planAndBook: input => planAndBook(api, settings, input),
    bookShipments: input =>
      input.profile.idempotent ? bookShipments(api, input) : withHeartbeat(() => bookShipments(api, input)),
    findBookings: input => findUnacknowledged(api, input),
    readShipments: input => readShipments(api, input),
    cancelShipments: input => cancelShipments(api, input),
    undoBooking: input => undoBooking(api, input),
    cancelKeptBooking: input => cancelKeptBooking(api, input),
    assignReceiver: input => assignReceiver(api, input),
    createOrGetAccount: input => withHeartbeat(() => createOrGetAccount(api, input)),
    setAccountPickUpPoint: input => withHeartbeat(() => setAccountPickUpPoint(api, input)),
    setAccountMutationConfig: input => withHeartbeat(() => setAccountMutationConfig(api, input)),
    importSuggestions: input => importSuggestions(api, input, allowPrivateNetworks, attemptContext()),
    findOrphans: input => {
      const { client, heartbeat } = Context.current()
      return findOrphans(api, client, { ...input, profile, heartbeat: () => heartbeat() })
    },
    cancelOrphan: input => withApplicationFailures(() => cancelOrphan(api, Context.current().client, input, profile)),
    adoptOrphan: ({ orphan, flow }) => {
      const { client, info } = Context.current()
      return withApplicationFailures(() => adoptOrphan(api, client, orphan, { taskQueue: info.taskQueue, flow }))
    },
    sendNotification: input => sendNotification(notifications, input, allowPrivateNetworks),
  }
}

/** Reveals a lost worker long before the timeout of an attempt that may take minutes. */
async function withHeartbeat<Result>(work: () => Promise<Result>): Promise<Result> {
  const context = Context.current()
  const timer = setInterval(() => context.heartbeat(), heartbeatInterval)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}

function attemptContext(): AttemptContext {
  const context = Context.current()
  return { signal: context.cancellationSignal, heartbeat: progress => context.heartbeat(progress) }
}
