// What flows do to the world. The worker makes them over one API client; flows know their types only.
import { Context } from '@temporalio/activity'
import type { Api } from '#api'
import { flows } from '#workflows/flows'
import { makeAccount, setAccountMutationConfig, setAccountPickUpPoint } from './accounts.ts'
import { assignReceiver } from './assignReceiver.ts'
import { book, findBooked } from './book.ts'
import { cancelShipments } from './cancelShipments.ts'
import { translated } from './failures.ts'
import { type Attempt, importSuggestions } from './importSuggestions.ts'
import type { FlowActivities } from './interface.ts'
import { look } from './look.ts'
import { sendNotice } from './notices.ts'
import { checkDeclarations } from './plan/declarations.ts'
import { type PlanSettings, planOf } from './plan/index.ts'
import { planAndBook } from './planAndBook.ts'
import { release } from './release.ts'
import { adoptOrphan, cancelOrphan, findOrphans } from './sweep/index.ts'

export type { FlowActivities } from './interface.ts'
export type { NoticeSettings } from './notices.ts'
export type { PlanSettings } from './plan/index.ts'

export interface ActivitySettings extends PlanSettings {
  /** Files may be fetched, and notices sent, by plain http and at private and loopback addresses; workers allow it in staging only. */
  readonly privateAddresses?: boolean
}

/** Milliseconds. */
const betweenBeats = 5_000

/** The activities over one API client. Throws when a flow is declared wrongly, with a line for each fault. */
export function createActivities(api: Api, settings: ActivitySettings): FlowActivities {
  checkDeclarations(settings.flows ?? flows)
  return {
    plan: async order => planOf(settings, order),
    planAndBook: order => planAndBook(api, settings, order),
    book: order => (order.profile.idempotent ? book(api, order) : whileAlive(() => book(api, order))),
    findBooked: order => findBooked(api, order),
    look: order => look(api, order),
    cancelShipments: order => cancelShipments(api, order),
    release: order => release(api, order),
    assignReceiver: order => assignReceiver(api, order),
    makeAccount: order => makeAccount(api, order),
    setAccountPickUpPoint: order => setAccountPickUpPoint(api, order),
    setAccountMutationConfig: order => setAccountMutationConfig(api, order),
    importSuggestions: order => importSuggestions(api, order, settings.privateAddresses === true, currentAttempt()),
    findOrphans: order => {
      const { client, heartbeat } = Context.current()
      return findOrphans(api, client, { ...order, profile: settings.profile, heartbeat: () => heartbeat() })
    },
    cancelOrphan: orphan => translated(() => cancelOrphan(api, Context.current().client, orphan, settings.profile)),
    adoptOrphan: ({ orphan, flow }) => {
      const { client, info } = Context.current()
      return translated(() => adoptOrphan(api, client, orphan, { taskQueue: info.taskQueue, flow }))
    },
    sendNotice: order => sendNotice(settings.notices, order, settings.privateAddresses === true),
  }
}

/** Lets Temporal know of a lost worker long before an attempt that may take minutes is over. */
async function whileAlive<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  const context = Context.current()
  const beating = setInterval(() => context.heartbeat(), betweenBeats)
  try {
    return await work()
  } finally {
    clearInterval(beating)
  }
}

function currentAttempt(): Attempt {
  const context = Context.current()
  return { signal: context.cancellationSignal, heartbeat: progress => context.heartbeat(progress) }
}
