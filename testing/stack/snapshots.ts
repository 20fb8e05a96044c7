import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { WorkflowNotFoundError } from '@temporalio/client'
import { toWorkflowId } from '#flows'
import { restoreStore, saveStore } from '#service'
import type { Stack } from './stack.ts'

/** A moment of a stack. It is lost when the stack stops. */
export interface Snapshot {
  readonly file: string
}

/** A flow at a moment: the run, and its last workflow task, to which Temporal can reset it. */
interface FlowPoint {
  readonly caseNo: string
  readonly runId: string
  readonly taskId: number
}

interface SavedSnapshot extends Snapshot {
  readonly ahead: number
  readonly flows: readonly FlowPoint[]
}

const reason = 'a test restores a snapshot'
/** RESET_REAPPLY_EXCLUDE_TYPE_SIGNAL and _UPDATE: messages after the snapshot did not happen. */
const notReapplied = [1, 2]

/** Saves and restores the service of a stack with wires, and its flows, while the stack runs. */
export function createSnapshots({ folder, service, client, clock, wires }: Stack) {
  const { toService, toGateway } = wires

  async function take(): Promise<SavedSnapshot> {
    const file = join(folder, `${randomUUID()}.db`)
    const { ahead } = clock
    const found = await Promise.all(clock.cases().map(findPoint))
    await saveStore(service.store, file)
    return { file, ahead, flows: found.filter(point => point !== undefined) }
  }

  async function restore(snapshot: Snapshot): Promise<void> {
    const { file, ahead, flows } = snapshot as SavedSnapshot
    const known = new Set(flows.map(({ caseNo }) => caseNo))
    await Promise.all(clock.cases().map(caseNo => terminate(caseNo)))
    await toService.cutDuring(() => toGateway.cutDuring(() => restoreService(file)))
    clock.restore(ahead, [...known])
    await Promise.all(flows.map(reset))
  }

  async function restoreService(file: string): Promise<void> {
    const before = await listCallbacks()
    await restoreStore(service.store, file)
    // The service may be sending some of them, although the store no longer has them.
    const restored = new Set(await listCallbacks())
    for (const id of before) if (!restored.has(id)) toGateway.cutRequests.add(id)
  }

  async function listCallbacks(): Promise<string[]> {
    const rows = await service.store.selectFrom('outbox').select('message_id').execute()
    return rows.map(row => row.message_id)
  }

  /** Undefined for a flow that has ended, or has no workflow task yet. */
  async function findPoint(caseNo: string): Promise<FlowPoint | undefined> {
    const handle = client.workflow.getHandle(toWorkflowId(caseNo))
    const { status, runId } = await handle.describe()
    if (status.name !== 'RUNNING') return undefined
    const { events } = await handle.fetchHistory()
    const last = events?.findLast(event => event.workflowTaskCompletedEventAttributes != null)
    return last === undefined ? undefined : { caseNo, runId, taskId: Number(last.eventId) }
  }

  async function terminate(caseNo: string): Promise<void> {
    await client.workflow
      .getHandle(toWorkflowId(caseNo))
      .terminate(reason)
      .catch(error => {
        if (!(error instanceof WorkflowNotFoundError)) throw error
      })
  }

  async function reset({ caseNo, runId, taskId }: FlowPoint): Promise<void> {
    const workflowId = toWorkflowId(caseNo)
    await client.workflowService.resetWorkflowExecution({
      namespace: client.options.namespace,
      workflowExecution: { workflowId, runId },
      reason,
      requestId: randomUUID(),
      workflowTaskFinishEventId: taskId as never,
      resetReapplyExcludeTypes: notReapplied,
    })
    // A query waits for the workflow task of the new run.
    await client.workflow.getHandle(workflowId).query('status')
  }

  return { take, restore }
}
