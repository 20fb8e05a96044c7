import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCalendars } from '#calendars'
import { createFlowClient } from '#client'
import { loadFlows } from '#declarations'
import * as activities from '../../examples/repair-shop/activities.ts'
import { repairShop } from '../../examples/repair-shop/flows/repairShop.ts'
import { inStep, leave, repairFlows, repairUntil, startRepair, type Wait } from '../support/examples/repairs.ts'
import type { World } from '../support/world/flowWorld.ts'
import type { Scenario } from './scenario.ts'

const labels = join(tmpdir(), 'lockerflow-labels')
const parcelFolder = join(import.meta.dirname, '..', '..', 'examples', 'parcel-return')

/** The way of the device: no repair, since a scenario needs no Python. */
async function declined(world: World, caseNo: string): Promise<void> {
  await repairUntil(world, caseNo, 'offer')
  await repairFlows(world).answer(caseNo, { step: 'offer', answer: 'decline' })
  for (const step of ['putBack', 'pickUp'] as const) {
    const { shipments } = await inStep(world, caseNo, step)
    world.cases.set(caseNo, 2)
    await leave[step](world, caseNo, shipments)
  }
}

/** Plays with a worker that has the flow and the activities of the repair shop. */
function inShop(name: string, play: (world: World, caseNo: string) => Promise<unknown>, windows = {}): Scenario {
  return {
    name: `repairShop-${name}`,
    async play(world) {
      process.env.LABEL_FOLDER = labels
      await world.restartWorker({ flows: [repairShop], activities })
      const caseNo = await startRepair(world, { windows })
      await play(world, caseNo)
      await world.flows.result(caseNo)
      await world.restartWorker()
      return caseNo
    },
  }
}

const cancelledIn = (['bringIn', 'fetch', 'quote', 'offer', 'repair'] as const satisfies Wait[]).map(step =>
  inShop(`cancelled-in-${step}`, async (world, caseNo) => {
    await repairUntil(world, caseNo, step)
    await world.flows.cancel(caseNo, 'recorded')
  }),
)

async function startParcel(world: World): Promise<string> {
  const { flows } = await loadFlows([join(parcelFolder, 'parcelReturn.yaml')])
  const { parcelReturn } = flows
  if (parcelReturn === undefined) throw new Error('the file declares no parcelReturn')
  const calendars = readCalendars(join(parcelFolder, 'calendars.yaml'))
  await world.restartWorker({ flows: [parcelReturn], calendars })
  const caseNo = world.newCase()
  await createFlowClient(world.client, { taskQueue: world.taskQueue, flows: [parcelReturn] }).start('parcelReturn', {
    caseNo,
    request: {
      PupUid: 'pup-1',
      customerUid: world.userUid,
      size: { width: 30, height: 15, length: 40 },
      courierAt: new Date(Date.now() + 1_000).toISOString(),
    },
  })
  return caseNo
}

const refunded: Scenario = {
  name: 'parcelReturn-refunded',
  async play(world) {
    const caseNo = await startParcel(world)
    for (const [step, code] of [
      ['bringBack', 'deliveryCode'],
      ['fetch', 'pickUpCode'],
    ] as const) {
      const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === step)
      const [shipment] = shipments
      if (shipment === undefined) throw new Error('nothing is booked')
      await world.open(shipment, code)
    }
    await world.statusWhen(caseNo, ({ stage, deadline }) => stage === 'check' && deadline !== null)
    await world.client.workflow
      .getHandle(`case:${caseNo}`)
      .executeUpdate('answer', { args: [{ step: 'check', answer: 'refund', fields: { cents: 2_500 } }] })
    await world.flows.result(caseNo)
    await world.restartWorker()
    return caseNo
  },
}

/** The own flows of the examples, which no bundle contains. */
export const ownFlows: readonly Scenario[] = [
  inShop('declined', declined),
  inShop('expired-in-bringIn', async () => undefined, { bringIn: '300ms' }),
  ...cancelledIn,
  refunded,
]
