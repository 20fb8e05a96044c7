// A workflow of a team's own, with two flows of lockerflow as its children. See ../README.md.

import type { FlowWorkflow, InputOf, LeftOver, ResultOf } from '@lockerflow/client'
import {
  ChildWorkflowCancellationType,
  executeChild,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  WorkflowIdReusePolicy,
} from '@temporalio/workflow'
import type * as activities from './activities.ts'

export interface Repair {
  repairNo: string
  pupUid: string
  /** From `onboardAccount`. */
  customerUid: string
  seconds: number
  /** The task queue of lockerflow's workers. */
  flowsQueue: string
}

export interface Repaired {
  outcome: 'completed' | 'cancelled' | 'expired'
  report: string | null
  leftOver: LeftOver[]
}

const { repair } = proxyActivities<typeof activities>({ startToCloseTimeout: '1 day', heartbeatTimeout: '2s' })
/** States of a shipment whose item was placed in the locker. */
const afterDropOff = ['ReadyForPickup', 'Completed']
const inShop = { step: 'repair', shipmentUid: null, reason: 'The device is in the shop.' }
const box = {
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}

export async function repairProcess({ repairNo, pupUid, customerUid, seconds, flowsQueue }: Repair): Promise<Repaired> {
  const locker = { PupUid: pupUid, ...box }
  const intake = await flow('intake', flowsQueue, {
    caseNo: `${repairNo}-in`,
    request: { ...locker, FromUserUid: customerUid },
  })
  if (intake.outcome !== 'completed') return { outcome: intake.outcome, report: null, leftOver: intake.leftOver }
  let report: string | null = null
  try {
    report = await repair({ repairNo, seconds })
    const back = await flow('issue', flowsQueue, {
      caseNo: `${repairNo}-back`,
      request: { ...locker, ToUserUid: customerUid },
    })
    const wasPutBack = back.shipments.some(({ stateCode }) => afterDropOff.includes(stateCode))
    return { outcome: back.outcome, report, leftOver: wasPutBack ? back.leftOver : [...back.leftOver, inShop] }
  } catch (error) {
    if (!isCancellation(error)) throw error
    return { outcome: 'cancelled', report, leftOver: [inShop] }
  }
}

/** Runs a flow as a child. When the parent is cancelled, the flow frees its lockers, and the parent waits for that. */
function flow<Name extends 'intake' | 'issue'>(
  name: Name,
  taskQueue: string,
  input: InputOf<Name> & { request: { PupUid: string } },
): Promise<ResultOf<Name>> {
  return executeChild<FlowWorkflow<Name>>(name, {
    taskQueue,
    workflowId: `case:${input.caseNo}`,
    args: [input],
    // Pick up points share the workers in equal parts.
    priority: { priorityKey: 2, fairnessKey: input.request.PupUid },
    cancellationType: ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
    // The default would terminate the flow, and leave its lockers booked.
    parentClosePolicy: ParentClosePolicy.REQUEST_CANCEL,
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
  })
}
