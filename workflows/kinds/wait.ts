import type { PlannedWait } from '#flows'
import type { PlannedFlow } from '../context.ts'
import { endOutage, isOutageAsked, noteOutage } from '../lockers/shipments.ts'
import { haveReached } from '../lockers/states.ts'
import { notify } from '../notifications/start.ts'
import { climb } from '../steps/climb.ts'
import { startWindow, stopResolving } from '../steps/windowStart.ts'
import { endOverdue, isOverdue, setDeadline, startOverdue, type Token } from '../tokens.ts'
import { describeDeadline } from './deadline.ts'
import type { Kind } from './kind.ts'

const onLockerOutOfService = {
  remind: 'the flow waits on',
  cancel: 'the flow ends, and shipments without an item are cancelled',
  ask: 'a person has to decide',
} as const

export const wait: Kind<PlannedWait> = {
  isComplete: (progress, { reached }, { id }) => haveReached(reached, progress, id),
  describe: ({ onTimeout, onLockerOutOfService: policy = 'remind' }, end) => [
    describeDeadline(end, onTimeout),
    `- if a locker goes out of service, ${onLockerOutOfService[policy]}`,
  ],
}

/**
 * Applies the policy of the step for a locker out of service, once for each step and outage. Items stay in their lockers,
 * as in every clean-up.
 */
export function onOutOfService(flow: PlannedFlow, token: Token, step: PlannedWait): void {
  const { progress, runtime } = flow
  const policy = step.onLockerOutOfService ?? 'remind'
  // A window that has passed with a question has its own decision already.
  const asked = policy === 'ask' && !(isOverdue(token) && token.deadline === null)
  noteOutage(progress.lockers, token, asked)
  if (asked) {
    startOverdue(token, runtime.now())
    stopResolving(flow, token)
    setDeadline(token, null)
  }
  notify(flow, token, 'flow.outOfService')
  if (policy === 'cancel') climb(flow, token, 'LockerOutOfService', { outcome: 'cancelled' }, 'cancel')
}

/** Takes back a question that has no decision yet. The window of the step starts again. */
export function onInService(flow: PlannedFlow, token: Token, step: PlannedWait): void {
  const { lockers } = flow.progress
  const isOpen = isOutageAsked(lockers, token) && isOverdue(token)
  endOutage(lockers, token)
  if (!isOpen) return
  endOverdue(token)
  startWindow(flow, token, step)
}
