import { join } from 'node:path'
import { readCalendars } from '#activities/calendars'
import { createFlowClient } from '#client'
import { loadFlows } from '#flows/check'
import type { World } from '../support/world/flowWorld.ts'
import type { Scenario } from './scenario.ts'

const parcelFolder = join(import.meta.dirname, '..', 'support', 'flows', 'parcelReturn')

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

/** Plays up to the answer of the shop, gives it, and goes on. */
function checked(
  name: string,
  answer: { readonly answer: string; readonly fields: object },
  goOn: (world: World, caseNo: string) => Promise<unknown> = async () => undefined,
): Scenario {
  return {
    name: `parcelReturn-${name}`,
    async play(world) {
      const caseNo = await startParcel(world)
      await openIn(world, caseNo, 'bringBack', 'deliveryCode')
      await openIn(world, caseNo, 'fetch', 'pickUpCode')
      await world.statusWhen(caseNo, ({ stage, deadline }) => stage === 'check' && deadline !== null)
      await world.client.workflow
        .getHandle(`case:${caseNo}`)
        .executeUpdate('answer', { args: [{ step: 'check', ...answer }] })
      await goOn(world, caseNo)
      await world.flows.result(caseNo)
      await world.restartWorker()
      return caseNo
    },
  }
}

/** Opens the locker of the last shipment in a step. */
async function openIn(world: World, caseNo: string, step: string, code: 'deliveryCode' | 'pickUpCode'): Promise<void> {
  const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === step)
  const shipment = shipments.at(-1)
  if (shipment === undefined) throw new Error('nothing is booked')
  await world.open(shipment, code)
}

/** The flow of the parcel return, by its calendar. */
export const parcelReturns: readonly Scenario[] = [
  checked('refunded', { answer: 'refund', fields: { cents: 2_500 } }),
  checked('rejected', { answer: 'reject', fields: { why: 'It is broken.' } }, async (world, caseNo) => {
    world.cases.set(caseNo, 2)
    await openIn(world, caseNo, 'putBack', 'deliveryCode')
    await openIn(world, caseNo, 'pickUp', 'pickUpCode')
  }),
]
