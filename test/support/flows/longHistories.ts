import type { WorkflowHandle } from '@temporalio/client'
import { toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { eventually } from '../eventually.ts'
import type { World } from '../world/flowWorld.ts'

/** Characters. The server suggests continue-as-new at four megabytes and accepts half a megabyte per request. */
const heavy = 450_000

/** A callback of a shipment that does not belong to the flow. */
const strange = { shipmentUid: 'another', stateCode: 'Completed', stateStart: '' }

/** Sends foreign callbacks until the size of the history makes the flow continue as new. */
export function growOld({ client }: World, caseNo: string): Promise<void> {
  return untilNextRun(client.workflow.getHandle(toWorkflowId(caseNo)), async handle => {
    for (let sent = 0; sent < 10; sent++) {
      await handle.signal(shipmentStatus, { ...strange, stateCode: 'x'.repeat(heavy) })
    }
  })
}

/** Sends short foreign callbacks until the flow continues as new, which the server suggests after this number of events. */
export function growLong({ client }: World, caseNo: string, events: number): Promise<void> {
  return untilNextRun(client.workflow.getHandle(toWorkflowId(caseNo)), async handle => {
    const { historyLength } = await handle.describe()
    // No more than needed, since later signals would be the first events of the next run.
    const missing = Array.from({ length: events - historyLength })
    await Promise.all(missing.map(() => handle.signal(shipmentStatus, strange)))
  })
}

async function untilNextRun(handle: WorkflowHandle, grow: (handle: WorkflowHandle) => Promise<void>): Promise<void> {
  const { runId } = await handle.describe()
  await grow(handle)
  // The server counts when a workflow task starts, so one more task is needed.
  await eventually(async () => {
    await handle.signal(shipmentStatus, strange)
    return (await handle.describe()).runId !== runId
  })
}
