import type { PlannedStage } from '#flows'
import { isCancelled } from '../cancellation.ts'
import { type PlannedFlow, setState } from '../context.ts'
import { notify } from '../notifications/start.ts'
import { type Action, isEndedFromOutside, type Requests } from './next.ts'
import { onInService, onOutOfService } from './outOfService.ts'
import { pollOnHint, pollShipments, retryPollAfter, toNextPoll } from './poll.ts'
import { isReached } from './shipments.ts'

/** An action that is neither a wait nor the end. */
export type Effect = Exclude<Action, { kind: 'wait' | 'end' }>

/** Carries an action out. Returns the outcome when a policy of the stage ends the flow. */
export async function perform(flow: PlannedFlow, action: Effect): Promise<'expired' | 'cancelled' | undefined> {
  switch (action.kind) {
    case 'advance':
      advance(flow)
      return undefined
    case 'enterStage':
      enterStage(flow, action.stage)
      return undefined
    case 'deadline':
      return onDeadline(flow, action.stage)
    case 'outOfService':
      return onOutOfService(flow, action.stage)
    case 'inService':
      onInService(flow, action.stage)
      return undefined
    case 'pollOnHint':
      await pollOnHint(flow)
      return undefined
    case 'poll':
      await pollOnSchedule(flow)
      return undefined
  }
}

export function toRequests(flow: PlannedFlow): Requests {
  return { cancelled: isCancelled(flow), released: flow.releaseRequested, poll: flow.pollRequested }
}

function advance(flow: PlannedFlow): void {
  notify(flow, 'flow.stageReached')
  flow.progress.stage++
  flow.progress.stageEntered = false
}

function enterStage(flow: PlannedFlow, stage: PlannedStage): void {
  const { progress } = flow
  setState(flow, 'waiting')
  progress.stageEntered = true
  progress.since = Date.now()
  progress.deadline = toDeadline(stage)
  progress.pollCount = 0
  progress.nextPoll = toNextPoll(progress)
}

async function pollOnSchedule(flow: PlannedFlow): Promise<void> {
  const { progress } = flow
  await pollShipments(flow, { urgent: false })
  progress.pollCount++
  progress.nextPoll = toNextPoll(progress)
}

/** Polls once more before the declared policy applies. */
async function onDeadline(flow: PlannedFlow, stage: PlannedStage): Promise<'expired' | undefined> {
  const { progress } = flow
  const { deadline, plan } = progress
  const isCurrent = !plan.profile.reads || (await pollShipments(flow, { urgent: true }))
  // The poll or a decision can have changed the situation meanwhile.
  if (isReached(progress) || isEndedFromOutside(progress, toRequests(flow)) || progress.deadline !== deadline) {
    return undefined
  }
  if (stage.onTimeout === 'cancel') {
    // Without a response the item may have come in after all.
    if (!isCurrent) progress.deadline = Date.now() + retryPollAfter
    return isCurrent ? 'expired' : undefined
  }
  setState(flow, 'overdue')
  notify(flow, 'flow.overdue')
  // A reminder starts the window again. A question waits for a decision.
  progress.deadline = stage.onTimeout === 'remind' ? toDeadline(stage) : null
  return undefined
}

function toDeadline({ window }: PlannedStage): number | null {
  return window === null ? null : Date.now() + window
}
