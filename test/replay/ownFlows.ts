import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Connection } from '@temporalio/client'
import { NativeConnection, Worker } from '@temporalio/worker'
import * as activities from '../../examples/repair-shop/activities.ts'
import { repairShop } from '../../examples/repair-shop/flows/repairShop.ts'
import {
  inStep,
  leave,
  type RepairOptions,
  repairFlows,
  repairUntil,
  startRepair,
  type Wait,
} from '../support/examples/repairs.ts'
import { growLong } from '../support/flows/longHistories.ts'
import type { World } from '../support/world/flowWorld.ts'
import { runsOf } from './continuedAsNew.ts'
import { parcelReturns } from './parcelReturns.ts'
import type { Scenario } from './scenario.ts'

const labels = join(tmpdir(), 'lockerflow-labels')

/** The way of a device without a repair. */
async function declined(world: World, caseNo: string): Promise<void> {
  await repairUntil(world, caseNo, 'offer')
  await decline(world, caseNo)
}

async function decline(world: World, caseNo: string): Promise<void> {
  await repairFlows(world).answer(caseNo, { step: 'offer', answer: 'decline', fields: {} })
  await returnDevice(world, caseNo)
}

/** The customer does not answer, and the window of the offer passes. */
async function unanswered(world: World, caseNo: string): Promise<void> {
  await repairUntil(world, caseNo, 'offer')
  await returnDevice(world, caseNo)
}

/** A worker that takes the place of the one in Python, whose installation a recording does not need. */
async function repaired(world: World, caseNo: string): Promise<void> {
  const { address } = (world.client.connection as Connection).options
  const connection = await NativeConnection.connect({ address })
  const repair = async () => ({ report: 'A new battery.' })
  const worker = await Worker.create({ connection, taskQueue: 'repair-shop-python', activities: { repair } })
  await worker.runUntil(() => repairUntil(world, caseNo))
  await connection.close()
}

async function returnDevice(world: World, caseNo: string): Promise<void> {
  for (const step of ['putBack', 'pickUp'] as const) {
    const { shipments } = await inStep(world, caseNo, step)
    world.cases.set(caseNo, 2)
    await leave[step](world, caseNo, shipments)
  }
}

/** Plays with a worker that has the flow and the activities of the repair shop. */
function inShop(
  name: string,
  play: (world: World, caseNo: string) => Promise<unknown>,
  options: RepairOptions = {},
): Scenario {
  return {
    name: `repairShop-${name}`,
    async play(world) {
      process.env.LABEL_FOLDER = labels
      await world.restartWorker({ flows: [repairShop], activities })
      const caseNo = await startRepair(world, options)
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

/** More events than a flow of the repair shop records before and after its offer. */
const suggestedAt = 120

/** Continues as new after a run step and an answer, and undoes the steps of the run before. */
const continuedInOffer = (['declined', 'cancelled'] as const).map((end): Scenario => {
  const { play, name } = inShop(`continued-as-new-in-offer-${end}`, async (world, caseNo) => {
    await repairUntil(world, caseNo, 'offer')
    await growLong(world, caseNo, suggestedAt)
    if (end === 'cancelled') await world.flows.cancel(caseNo, 'recorded')
    else await decline(world, caseNo)
  })
  return {
    name,
    runs: 2,
    suggestedAt,
    async play(world) {
      const caseNo = await play(world)
      if (typeof caseNo !== 'string') throw new Error('one case was expected')
      return runsOf(world, caseNo)
    },
  }
})

/** Milliseconds. The window of the offer ends two days before the device is needed, and six seconds after the start. */
const neededSoon = 48 * 3_600_000 + 6_000

/** The custom flows of the examples, which no bundle contains. */
export const ownFlows: readonly Scenario[] = [
  inShop('declined', declined),
  inShop('completed', repaired),
  inShop('unanswered', unanswered, { neededIn: neededSoon }),
  inShop('expired-in-bringIn', async () => undefined, { windows: { bringIn: '300ms' } }),
  ...cancelledIn,
  ...continuedInOffer,
  ...parcelReturns,
]
