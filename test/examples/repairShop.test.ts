import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { loadFlows } from '#flows/check'
import * as activities from '../../examples/repair-shop/activities.ts'
import { repairShop } from '../../examples/repair-shop/flows/repairShop.ts'
import { eventually } from '../support/eventually.ts'
import { examples } from '../support/examples/languages.ts'
import { inStep, leave, repairFlows, repairRequest, repairUntil, startRepair } from '../support/examples/repairs.ts'
import { lacksPython, startWorkbench, type Workbench } from '../support/examples/workbench.ts'
import { movableClock } from '../support/flows/clock.ts'
import { sweepCase, terminate } from '../support/flows/orphans.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld(movableClock)
const labels = mkdtempSync(join(tmpdir(), 'lockerflow-labels-'))
const flowFiles = join(examples, 'repair-shop', 'flows')

/** Milliseconds that the first installation of the Python packages may take. */
const installTimeout = 900_000

let workbench: Workbench | undefined
const withPython = test.skipIf(lacksPython !== undefined)
if (lacksPython !== undefined) console.warn(`the repairs of examples/repair-shop are skipped: ${lacksPython}`)

beforeAll(async () => {
  process.env.LABEL_FOLDER = labels
  await world.restartWorker({ flows: [repairShop], activities })
  if (lacksPython === undefined) workbench = await startWorkbench(0.1)
}, installTimeout)

afterAll(async () => {
  delete process.env.LABEL_FOLDER
  await workbench?.stop()
  rmSync(labels, { recursive: true })
})

/** The labels that are printed and not void. */
function labelsOf(caseNo: string): string[] {
  return readdirSync(labels).filter(file => readFileSync(join(labels, file), 'utf8').includes(caseNo))
}

test('the declarations in TypeScript and YAML are equal', async () => {
  const { flows, faults } = await loadFlows([join(flowFiles, 'repairShop.yaml')])
  expect(faults).toEqual([])
  expect(flows.repairShop).toEqual(repairShop)
})

describe('a repair', () => {
  withPython('completes, and returns the report of the workbench and the price', async () => {
    const caseNo = await startRepair(world)
    await repairUntil(world, caseNo)
    expect(await repairFlows(world).result<'repairShop'>(caseNo)).toEqual({
      kind: 'Ended',
      result: {
        flow: 'repairShop',
        caseNo,
        outcome: 'completed',
        shipments: [
          expect.objectContaining({ role: 'intake', stateCode: 'Completed' }),
          expect.objectContaining({ role: 'back', stateCode: 'Completed' }),
        ],
        leftOver: [],
        report: `opened, part replaced, tested (case ${caseNo}, attempt 1)`,
        cents: 4900,
      },
    })
    expect(labelsOf(caseNo)).toHaveLength(1)
  })
})

/** The way back of a device that is not repaired. */
async function backHome(caseNo: string): Promise<void> {
  for (const step of ['putBack', 'pickUp'] as const) {
    const { shipments } = await inStep(world, caseNo, step)
    world.cases.set(caseNo, 2)
    await leave[step](world, caseNo, shipments)
  }
}

withPython('after a lost workbench the next one continues after the last stage', async () => {
  await workbench?.stop()
  const slow = await startWorkbench(3)
  const caseNo = await startRepair(world)
  await repairUntil(world, caseNo, 'repair')
  // Temporal has the heartbeat of the stage before.
  await eventually(() => slow.lines.some(line => line.includes('part replaced')))
  await slow.kill()
  workbench = await startWorkbench(0.1)
  await world.statusWhen(caseNo, ({ stage }) => stage === 'putBack')
  await backHome(caseNo)
  expect(await world.flows.result(caseNo)).toMatchObject({
    result: { report: expect.stringMatching(/attempt [2-9]/) },
  })
  expect(workbench.lines.filter(line => line.includes('opened'))).toEqual([])
})

describe('a changed declaration', () => {
  test('with other answers refuses a client that has the old one, and accepts clients that have none', async () => {
    const changed = {
      ...repairShop,
      steps: repairShop.steps.map(step =>
        step.name === 'offer' ? { ...step, ask: { agree: { tip: 'integer' }, decline: {} } as const } : step,
      ),
    }
    await world.restartWorker({ flows: [changed], activities })
    const caseNo = world.newCase(0)
    const input = { caseNo, request: repairRequest(world) }
    const started = await repairFlows(world).startAndWaitForBooking('repairShop', input)
    expect(started).toMatchObject({ kind: 'Refused', code: 'FlowDiffers' })
    world.cases.set(caseNo, 1)
    const handle = await world.client.workflow.start('repairShop', {
      workflowId: toWorkflowId(caseNo),
      taskQueue: world.taskQueue,
      args: [input],
    })
    await inStep(world, caseNo, 'bringIn')
    await world.flows.cancel(caseNo, 'over')
    expect(await handle.result()).toMatchObject({ outcome: 'cancelled' })
    await world.restartWorker({ flows: [repairShop], activities })
  })

  test('that is gone fails new starts, and open flows continue', async () => {
    const caseNo = await startRepair(world)
    await world.restartWorker({ activities })
    await repairUntil(world, caseNo, 'quote')
    const next = world.newCase(0)
    const input = { caseNo: next, request: repairRequest(world) }
    const started = await repairFlows(world).startAndWaitForBooking('repairShop', input)
    expect(started).toMatchObject({ kind: 'Refused', code: 'UnknownFlow' })
    await world.flows.cancel(caseNo, 'over')
    expect(labelsOf(caseNo)).toEqual([])
    await world.restartWorker({ flows: [repairShop], activities })
  })
})

test('a sweep adopts both bookings of a flow that was terminated after the second one, and books nothing', async () => {
  const caseNo = await startRepair(world)
  await repairUntil(world, caseNo, 'offer')
  const decline = { step: 'offer', answer: 'decline' } as const
  await repairFlows(world).answer(caseNo, decline)
  const booked = (await inStep(world, caseNo, 'putBack')).shipments
  world.cases.set(caseNo, 2)
  const [intake, back] = ['intake', 'back'].map(role => booked.find(each => each.role === role)?.shipmentUid)
  expect(await sweepCase(world, caseNo)).toBeUndefined()
  await terminate(world, caseNo)
  expect(await sweepCase(world, caseNo, { act: 'adopt' })).toMatchObject({
    flow: 'repairShop',
    shipments: [{ shipmentUid: back }],
    adopted: true,
  })
  const { shipments } = await inStep(world, caseNo, 'quote')
  expect(shipments).toMatchObject([{ role: 'intake', shipmentUid: intake, stateCode: 'Completed' }])
  await leave.quote(world, caseNo, [])
  await inStep(world, caseNo, 'offer')
  await repairFlows(world).answer(caseNo, decline)
  await backHome(caseNo)
  expect(await world.flows.result(caseNo)).toMatchObject({
    result: { outcome: 'completed', shipments: [{ shipmentUid: intake }, { shipmentUid: back }], leftOver: [] },
  })
  expect(await sweepCase(world, caseNo)).toBeUndefined()
})

describe('a worker does not start', () => {
  const noFunction = { ...activities, printLabel: undefined as never }
  test.each([
    ['with the name of a built-in flow', { flows: [{ ...repairShop, name: 'issue' }], activities }, 'NameTaken'],
    ['with two flows of one name', { flows: [repairShop, repairShop], activities }, 'NameTaken'],
    ['without an activity of a step', { flows: [repairShop] }, 'UnregisteredActivity'],
    [
      'with an activity that is not a function',
      { flows: [repairShop], activities: noFunction },
      'UnregisteredActivity',
    ],
    ['with an activity of a built-in name', { activities: { readShipments: async () => ({}) } }, 'readShipments'],
  ])('%s', async (_, own, message) => {
    await expect(world.restartWorker(own)).rejects.toThrow(message)
    await world.restartWorker({ flows: [repairShop], activities })
  })
})
