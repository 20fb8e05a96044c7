import type { WorkflowHandle } from '@temporalio/client'
import { workflowIdOf } from '#contract/terms'
import { shipmentStatus } from '#workflows/messages'
import { eventually } from './eventually.ts'
import type { World } from './world.ts'

/** Characters; the server suggests a new run at four megabytes of history, and takes half a megabyte at a time. */
const heavy = 450_000

/** A callback that is none of the flow's own. */
const strange = { shipmentUid: 'another', stateCode: 'Completed', stateStart: '' }

/** Makes the history of a flow so long that it continues as new, by callbacks that are none of its own. */
export function growOld({ client }: World, caseNo: string): Promise<void> {
  return untilNextRun(client.workflow.getHandle(workflowIdOf(caseNo)), async handle => {
    for (let sent = 0; sent < 10; sent++) {
      await handle.signal(shipmentStatus, { ...strange, stateCode: 'x'.repeat(heavy) })
    }
  })
}

/** The same with short callbacks, on a server that suggests a new run after so many events. */
export function growLong({ client }: World, caseNo: string, events: number): Promise<void> {
  return untilNextRun(client.workflow.getHandle(workflowIdOf(caseNo)), async handle => {
    const { historyLength } = await handle.describe()
    // No more than are needed: what comes after the switch is the beginning of the next history.
    const missing = Array.from({ length: events - historyLength })
    await Promise.all(missing.map(() => handle.signal(shipmentStatus, strange)))
  })
}

async function untilNextRun(handle: WorkflowHandle, grow: (handle: WorkflowHandle) => Promise<void>): Promise<void> {
  const { runId } = await handle.describe()
  await grow(handle)
  // The server counts when a task begins, so there has to be one more of them.
  await eventually(async () => {
    await handle.signal(shipmentStatus, strange)
    return (await handle.describe()).runId !== runId
  }, 20_000)
}
