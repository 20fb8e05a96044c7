import type { PlannedWait } from '#flows'
import { type PlannedFlow, setState } from '../context.ts'
import { pollShipments } from '../lockers/readings.ts'
import { endOutage, noteOutage } from '../lockers/shipments.ts'
import { haveReached } from '../lockers/states.ts'
import { notify } from '../notifications/start.ts'
import { setDeadline } from '../position.ts'
import { endIn } from '../steps/advance.ts'
import { startWindow, stopResolving } from '../steps/windowStart.ts'
import { describeDeadline } from './deadline.ts'
import type { Kind } from './kind.ts'

const onLockerOutOfService = {
  remind: 'the flow waits on',
  cancel: 'the flow ends, and shipments without an item are cancelled',
  ask: 'a person has to decide',
} as const

export const wait: Kind<PlannedWait> = {
  isComplete: (progress, { reached }) => haveReached(reached, progress),
  confirm: flow => (flow.progress.plan.profile.reads ? pollShipments(flow, { urgent: true }) : undefined),
  describe: ({ onTimeout, onLockerOutOfService: policy = 'remind' }, end) => [
    describeDeadline(end, onTimeout),
    `- if a locker goes out of service, ${onLockerOutOfService[policy]}`,
  ],
}

/**
 * Applies the policy of the step for a locker out of service, once for each step and outage. Items stay in their lockers,
 * as in every clean-up.
 */
export function onOutOfService(flow: PlannedFlow, step: PlannedWait): void {
  const { progress } = flow
  const policy = step.onLockerOutOfService ?? 'remind'
  // A window that has passed with a question has its own decision already.
  const asked = policy === 'ask' && !(flow.state === 'overdue' && progress.deadline === null)
  noteOutage(progress, asked)
  if (asked) {
    setState(flow, 'overdue')
    stopResolving(flow)
    setDeadline(progress, null)
  }
  notify(flow, 'flow.outOfService')
  if (policy === 'cancel') endIn(flow, { outcome: 'cancelled' }, 'cancel')
}

/** Takes back a question that has no decision yet. The window of the step starts again. */
export function onInService(flow: PlannedFlow, step: PlannedWait): void {
  const { progress } = flow
  const isOpen = progress.outOfService?.asked === true && flow.state === 'overdue'
  endOutage(progress)
  if (!isOpen) return
  setState(flow, 'waiting')
  startWindow(flow, step)
}
