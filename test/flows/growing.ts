import { workflowIdOf } from '#contract/terms'
import { shipmentStatus } from '#workflows/messages'
import { eventually } from './eventually.ts'
import type { World } from './world.ts'

/** Characters; the server suggests a new run at four megabytes of history, and takes half a megabyte at a time. */
const heavy = 450_000

/** Makes the history of a flow so long that it continues as new, by callbacks that are none of its own. */
export async function growOld({ client }: World, caseNo: string): Promise<void> {
  const handle = client.workflow.getHandle(workflowIdOf(caseNo))
  const { runId } = await handle.describe()
  const strange = { shipmentUid: 'another', stateCode: 'Completed', stateStart: '' }
  for (let sent = 0; sent < 10; sent++) {
    await handle.signal(shipmentStatus, { ...strange, stateCode: 'x'.repeat(heavy) })
  }
  // The server counts when a task begins, so there has to be one more of them.
  await eventually(async () => {
    await handle.signal(shipmentStatus, strange)
    return (await handle.describe()).runId !== runId
  }, 20_000)
}
