import { proxyActivities } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import type { ReceiverOrder } from '#contract/terms'
import { codeOf, finalBehind, flowFailure, isActivityError, unanswered } from './failures.ts'
import { learnOne, reached } from './hearing.ts'
import { courseOf, isCancelled, orderedBy, type Run, refuse, refuseEnded } from './run.ts'

/** Characters of a uid. */
const longest = 64

/** Somebody waits for the answer, and can ask again: naming the same receiver twice does no harm. */
const { assignReceiver } = proxyActivities<Pick<FlowActivities, 'assignReceiver'>>({
  startToCloseTimeout: '15s',
  scheduleToCloseTimeout: '1m',
  retry: { initialInterval: '250ms', maximumInterval: '10s' },
  summary: 'name the receiver',
})

/** Refuses a receiver that is none, that no stage waits for, or that is named too early or too late. */
export function refuseReceiver(run: Run, order: ReceiverOrder): void {
  refuseEnded(run)
  const { toUserUid } = order ?? {}
  if (typeof toUserUid !== 'string' || toUserUid === '' || toUserUid.length > longest) {
    throw flowFailure('InvalidFlowInput', `toUserUid: has to be the uid of a user, 1 to ${longest} characters`)
  }
  const sentence = objection(run)
  if (sentence !== undefined) throw flowFailure('NoReceiverWanted', sentence)
}

function objection(run: Run): string | undefined {
  const ordered = orderedBy(run, 'assignReceiver')
  if (ordered === undefined) return 'The flow waits for nobody to be named who collects a shipment.'
  if (run.booking !== 'booked') return 'The flow is not booked yet.'
  if (isCancelled(run)) return 'The flow is being cancelled.'
  const isOver = reached({ ...courseOf(run), stage: ordered.stage })
  return isOver ? 'The shipment has its receiver already.' : undefined
}

/** Names who collects the shipment. Fails with the service's code, or with that of the fault after a minute. */
export async function assign(run: Run, { toUserUid }: ReceiverOrder): Promise<void> {
  const held = orderedBy(run, 'assignReceiver')?.shipment
  if (held === undefined) throw new Error('there is no shipment to name a receiver for')
  try {
    const { shipmentUid } = held
    const seen = await assignReceiver({ shipmentUid, toUserUid, profile: courseOf(run).plan.profile })
    // A service that cannot be asked calls back.
    if (seen !== null) learnOne(run, held, seen)
  } catch (error) {
    if (!isActivityError(error)) throw error
    refuse(run, `${held.role}: no receiver could be named: ${codeOf(error)}`)
    throw finalBehind(error) ?? unanswered(error)
  } finally {
    run.stirred = true
  }
}
