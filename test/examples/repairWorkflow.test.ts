import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { WorkflowHandle } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FlowStatus, toWorkflowId } from '#flows'
import type { Repair, Repaired } from '../../examples/repair-workflow/typescript/workflows.ts'
import { endProcess } from '../support/endProcess.ts'
import { startWorker } from '../support/examples/exampleWorker.ts'
import { repairWorkers } from '../support/examples/repairWorkers.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

/** Milliseconds of the first build. */
const startTimeout = 900_000

type Process = (repair: Repair) => Promise<Repaired>

for (const { name, lacks } of repairWorkers)
  if (lacks) console.warn(`examples/repair-workflow/${name} is skipped: ${lacks}`)

describe.each(repairWorkers)('a workflow around flows, in $name', ({ name, lacks, prepare }) => {
  const example = test.skipIf(lacks !== undefined)
  const taskQueue = `repairs-${randomUUID()}`
  let worker: ChildProcess | undefined

  beforeAll(async () => {
    if (lacks === undefined) worker = await startWorker(await prepare(), { REPAIR_TASK_QUEUE: taskQueue })
  }, startTimeout)
  afterAll(async () => {
    if (worker === undefined) return
    await endProcess(worker, 'SIGINT')
    if (name === 'python') expect(worker.exitCode).toBe(0)
  })

  /** Starts a repair whose work takes this many seconds. */
  async function start(seconds: number): Promise<{ repairNo: string; handle: WorkflowHandle<Process> }> {
    const repairNo = `R-${randomUUID()}`
    const order = { repairNo, pupUid: 'pup-1', customerUid: world.userUid, seconds, flowsQueue: world.taskQueue }
    const workflowId = `repair:${repairNo}`
    const handle = await world.client.workflow.start<Process>('repairProcess', { workflowId, taskQueue, args: [order] })
    world.cases.set(`${repairNo}-in`, 1)
    return { repairNo, handle }
  }

  async function expectCancelled({ handle }: { handle: WorkflowHandle<Process> }, leftOver: unknown[]): Promise<void> {
    await handle.cancel()
    expect(await handle.result()).toMatchObject({ outcome: 'cancelled', leftOver })
  }

  /** The customer brings the device, and the shop takes it out. */
  async function bringIn(repairNo: string): Promise<void> {
    await open(await inStage(`${repairNo}-in`, 'dropOff'), 'deliveryCode')
    await open(await inStage(`${repairNo}-in`, 'collect'), 'pickUpCode')
  }

  example('completes with two flows and an activity', async () => {
    const { repairNo, handle } = await start(0)
    await bringIn(repairNo)
    world.cases.set(`${repairNo}-back`, 1)
    await open(await inStage(`${repairNo}-back`, 'dropOff'), 'deliveryCode')
    await open(await inStage(`${repairNo}-back`, 'pickUp'), 'pickUpCode')
    expect(await handle.result()).toEqual({
      outcome: 'completed',
      report: `${repairNo} works again`,
      leftOver: [],
    })
  })

  example('cancelled before the device arrives, frees the locker first', async () => {
    const repair = await start(0)
    const caseNo = `${repair.repairNo}-in`
    await inStage(caseNo, 'dropOff')
    await expectCancelled(repair, [])
    await expectEnded(caseNo, 'Cancelled')
  })

  example('cancelled while the device waits for the customer, reports the locker that is full', async () => {
    const repair = await start(0)
    const caseNo = `${repair.repairNo}-back`
    await bringIn(repair.repairNo)
    world.cases.set(caseNo, 1)
    await open(await inStage(caseNo, 'dropOff'), 'deliveryCode')
    const waiting = await inStage(caseNo, 'pickUp')
    const inLocker = { shipmentUid: waiting.shipments[0]?.shipmentUid, reason: 'there is an item in the locker' }
    await expectCancelled(repair, [inLocker])
    await expectEnded(caseNo, 'ReadyForPickup')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { leftOver: [inLocker] } })
    await open(waiting, 'pickUpCode')
  })
})

function inStage(caseNo: string, stage: string): Promise<FlowStatus> {
  return world.statusWhen(caseNo, status => status.stage === stage)
}

async function open({ shipments: [shipment] }: FlowStatus, code: 'deliveryCode' | 'pickUpCode'): Promise<void> {
  if (shipment === undefined) throw new Error('the flow has no shipment')
  await world.open(shipment, code)
}

/** The parent has waited for the clean-up of its child. */
async function expectEnded(caseNo: string, stateCode: string): Promise<void> {
  const { status } = await world.client.workflow.getHandle(toWorkflowId(caseNo)).describe()
  expect(status.name).toBe('COMPLETED')
  expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode }])
}
