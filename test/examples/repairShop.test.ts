import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isFinalState } from '#contract/terms'
import { toWorkflowId } from '#flows'
import { loadFlows } from '#flows/check'
import * as activities from '../../examples/repair-shop/activities.ts'
import { repairShop } from '../../examples/repair-shop/flows/repairShop.ts'
import { eventually } from '../support/eventually.ts'
import { examples } from '../support/examples/languages.ts'
import {
  inStep,
  leave,
  repairFlows,
  repairRequest,
  repairUntil,
  startRepair,
  waits,
} from '../support/examples/repairs.ts'
import { lacksPython, startWorkbench, type Workbench } from '../support/examples/workbench.ts'
import { hour, movableClock, moveFlowClock } from '../support/flows/clock.ts'
import { sweepCase, terminate } from '../support/flows/orphans.ts'
import { useWorld } from '../support/world/useWorld.ts'
import { startProcess } from '../support/world/workerProcess.ts'

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

const inShop = { step: 'fetch', shipmentUid: null, reason: 'The device is in the shop.' }
const unpaid = { step: 'repair', shipmentUid: null, reason: 'The device is repaired and not paid.' }
const itemInside = expect.objectContaining({ reason: 'there is an item in the locker' })

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

  test('that the customer declines goes back unrepaired', async () => {
    const caseNo = await startRepair(world)
    await repairUntil(world, caseNo, 'offer')
    const flows = repairFlows(world)
    expect(await flows.answer(caseNo, { step: 'offer', answer: 'decline' })).toMatchObject({ kind: 'Answered' })
    await backHome(caseNo)
    expect(await flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed', report: null, cents: 4900 } })
  })

  test('that is hopeless is not offered', async () => {
    const caseNo = await startRepair(world)
    await repairUntil(world, caseNo, 'quote')
    const flows = repairFlows(world)
    await flows.answer(caseNo, { step: 'quote', answer: 'hopeless', fields: { why: 'burnt' } })
    await backHome(caseNo)
    expect(await flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed', report: null, cents: null } })
  })

  test('without an answer of the customer in time goes back', async () => {
    const caseNo = await startRepair(world)
    await repairUntil(world, caseNo, 'offer')
    await moveFlowClock(world, caseNo, 3 * hour)
    await backHome(caseNo)
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed', report: null } })
  })

  test('of a device that does not come expires, and frees the locker', async () => {
    const caseNo = await startRepair(world, { windows: { bringIn: '300ms' } })
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'expired', shipments: [{ stateCode: 'Cancelled' }], leftOver: [] },
    })
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

describe('an answer', () => {
  test('is refused before its step, with unknown fields, and after another one; the same again is accepted', async () => {
    const caseNo = await startRepair(world)
    const flows = repairFlows(world)
    const priced = { step: 'quote', answer: 'priced', fields: { cents: 4900 }, by: 'kim' } as const
    expect(await flows.answer(caseNo, priced)).toMatchObject({ kind: 'Refused', code: 'NotAskedYet' })
    await repairUntil(world, caseNo, 'quote')
    const wrong = { ...priced, fields: { cents: 'much' as unknown as number } }
    expect(await flows.answer(caseNo, wrong)).toMatchObject({ kind: 'Refused', code: 'InvalidFlowInput' })
    const first = await flows.answer(caseNo, priced)
    expect(first).toMatchObject({ kind: 'Answered', step: 'quote', answer: 'priced', by: 'kim' })
    expect(await flows.answer(caseNo, { ...priced, by: 'robin' })).toEqual(first)
    const other = { step: 'quote', answer: 'hopeless', fields: { why: 'burnt' } } as const
    expect(await flows.answer(caseNo, other)).toMatchObject({ kind: 'Refused', code: 'AlreadyAnswered' })
    await flows.cancel(caseNo, 'over')
    expect(await flows.answer(caseNo, priced)).toMatchObject({ kind: 'Refused', code: 'FlowEnded' })
    expect(await flows.answer('nobody-has-it', priced)).toMatchObject({ kind: 'UnknownCase' })
  })
})

describe('a repair that is cancelled', () => {
  const leftOver = {
    bringIn: [],
    fetch: [itemInside],
    quote: [inShop],
    offer: [inShop],
    repair: [unpaid, inShop],
    putBack: [unpaid, inShop],
    pickUp: [itemInside, unpaid, inShop],
  } as const

  describe.each(waits)('in %s', step => {
    const needsPython = step === 'putBack' || step === 'pickUp'

    test.skipIf(needsPython && lacksPython !== undefined)('is undone', async () => {
      // Without a worker the repair waits.
      if (step === 'repair') await workbench?.stop()
      const caseNo = await startRepair(world)
      await repairUntil(world, caseNo, step)
      if (needsPython) world.cases.set(caseNo, 2)
      expect(await world.flows.cancel(caseNo, 'over')).toEqual({
        kind: 'Cancelled',
        outcome: 'cancelled',
        leftOver: leftOver[step],
      })
      expect(labelsOf(caseNo)).toEqual([])
      const active = (await world.shipmentsOf(caseNo)).filter(({ stateCode }) => !isFinalState(stateCode))
      expect(active).toHaveLength(leftOver[step].filter(each => each === itemInside).length)
      if (step === 'repair' && lacksPython === undefined) workbench = await startWorkbench(0.1)
    })
  })
})

describe('a lost worker', () => {
  withPython('of the workbench: the next one continues after the last stage', async () => {
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

  test('of the flows: another one, started by the two settings, continues', async () => {
    const caseNo = await startRepair(world)
    await repairUntil(world, caseNo, 'fetch')
    await world.stopWorker()
    const settings = {
      LOCKERFLOW_FLOWS: join(flowFiles, '*.yaml'),
      LOCKERFLOW_ACTIVITIES: join(examples, 'repair-shop', 'activities.ts'),
      LABEL_FOLDER: labels,
    }
    const lost = await startProcess(world, settings)
    await leave.fetch(world, caseNo, (await inStep(world, caseNo, 'fetch')).shipments)
    await inStep(world, caseNo, 'quote')
    lost.kill('SIGKILL')
    const next = await startProcess(world, settings)
    await leave.quote(world, caseNo, [])
    await inStep(world, caseNo, 'offer')
    expect(labelsOf(caseNo)).toHaveLength(1)
    next.kill('SIGTERM')
    await world.restartWorker({ flows: [repairShop], activities })
    await world.flows.cancel(caseNo, 'over')
    expect(labelsOf(caseNo)).toEqual([])
  })
})

describe('a changed declaration', () => {
  test('leaves open flows with their plan, and applies to new ones', async () => {
    const caseNo = await startRepair(world)
    const changed = {
      ...repairShop,
      steps: repairShop.steps.map(step => (step.name === 'bringIn' ? { ...step, name: 'arrival' } : step)),
    }
    await world.restartWorker({ flows: [changed], activities })
    await repairUntil(world, caseNo, 'quote')
    await world.flows.cancel(caseNo, 'over')
    const next = await startRepair(world)
    await world.statusWhen(next, ({ stage }) => stage === 'arrival')
    await world.flows.cancel(next, 'over')
    await world.restartWorker({ flows: [repairShop], activities })
  })

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

describe('a sweep', () => {
  test('finds the shipment of a terminated flow, and adopts it', async () => {
    const caseNo = await startRepair(world)
    await repairUntil(world, caseNo, 'bringIn')
    await terminate(world, caseNo)
    expect(await sweepCase(world, caseNo)).toMatchObject({ flow: 'repairShop', reason: expect.any(String) })
    expect(await sweepCase(world, caseNo, { act: 'adopt' })).toMatchObject({ adopted: true })
    await repairUntil(world, caseNo, 'quote')
    await world.flows.cancel(caseNo, 'over')
  })

  /** A declined repair that is on its way back, with its second booking. */
  async function startWayBack() {
    const caseNo = await startRepair(world)
    await repairUntil(world, caseNo, 'offer')
    await repairFlows(world).answer(caseNo, { step: 'offer', answer: 'decline' })
    const { shipments } = await inStep(world, caseNo, 'putBack')
    world.cases.set(caseNo, 2)
    const [intake, back] = ['intake', 'back'].map(role => shipments.find(each => each.role === role)?.shipmentUid)
    return { caseNo, intake, back }
  }

  test('adopts both bookings of a flow that was terminated after the second one, and books nothing', async () => {
    const { caseNo, intake, back } = await startWayBack()
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
    await repairFlows(world).answer(caseNo, { step: 'offer', answer: 'decline' })
    await backHome(caseNo)
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'completed', shipments: [{ shipmentUid: intake }, { shipmentUid: back }], leftOver: [] },
    })
    expect(await sweepCase(world, caseNo)).toBeUndefined()
  })

  test('cancels the second booking of a flow that was terminated after it', async () => {
    const { caseNo, back } = await startWayBack()
    await terminate(world, caseNo)
    expect(await sweepCase(world, caseNo, { act: 'cancel' })).toMatchObject({
      shipments: [{ shipmentUid: back, stateCode: 'Cancelled' }],
    })
  })

  test('cancels it', async () => {
    const caseNo = await startRepair(world)
    await terminate(world, caseNo)
    expect(await sweepCase(world, caseNo, { act: 'cancel' })).toMatchObject({
      shipments: [{ stateCode: 'Cancelled' }],
    })
  })
})

test('search attributes, summary and current details are those of every flow', async () => {
  const caseNo = await startRepair(world)
  await repairUntil(world, caseNo, 'quote')
  const handle = world.client.workflow.getHandle(toWorkflowId(caseNo))
  const described = await handle.describe()
  expect(described.searchAttributes).toMatchObject({ LockerflowFlow: ['repairShop'], LockerflowStage: ['quote'] })
  expect(await described.staticSummary()).toBe(repairShop.summary)
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')
  expect(currentDetails).toContain('The shop says what the repair costs')
  expect(currentDetails).toContain('staff')
  await world.flows.cancel(caseNo, 'over')
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
