import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunCall } from '#flows'
import type { Topology } from '#service'
import { type Lockers, startLockers } from '#testing'
import { repairShop } from '../../examples/repair-shop/flows/repairShop.ts'
import { eventually } from '../support/eventually.ts'
import { bundle } from '../support/world/bundle.ts'

const depot: Topology = {
  tenants: [
    {
      name: 'workshop',
      dispatcher: {
        userName: 'bench',
        emailAddress: 'bench@workshop.example',
        firstName: 'Workshop',
        lastName: 'Bench',
      },
      clients: [{ clientId: 'bench', clientSecret: 'bench-secret' }],
    },
  ],
  pickUpPoints: [
    {
      pupUid: 'depot',
      name: 'Depot',
      timeZone: 'Europe/Amsterdam',
      tenants: ['workshop'],
      lockers: [{ names: 'D1', width: 40, height: 40, length: 60 }],
    },
  ],
}

const caseNo = 'R-1001'
const size = { width: 30, height: 15, length: 40 }

/** Calls of the own activities, with the shipment that they got. */
const calls: [name: string, device: unknown][] = []
const activities = {
  async printLabel({ device }: { device: string }) {
    calls.push(['printLabel', device])
    return { labelNo: 'L-1' }
  },
  async voidLabel(_undo: unknown, call: RunCall) {
    calls.push(['voidLabel', call.caseNo])
  },
}

let workshop: Lockers<typeof repairShop>
let other: Lockers

// Each with a Temporal server of its own: two stacks on one server need different case numbers.
beforeAll(async () => {
  const built = { bundle: await bundle() }
  const own = { topology: depot, flows: [repairShop], activities }
  const started = await Promise.all([startLockers({ ...own, ...built }), startLockers(built)])
  workshop = started[0]
  other = started[1]
})

afterAll(() => Promise.all([workshop?.stop(), other?.stop()]))

async function untilStage(lockers: Pick<Lockers, 'flows'>, stage: string): Promise<void> {
  await eventually(async () => {
    const found = await lockers.flows.status(caseNo)
    return found.kind === 'Status' && found.status.stage === stage
  })
}

test('two stacks have the same case number, and one of them a topology, flows and activities of its own', async () => {
  const customerUid = await workshop.people.create('kim', 'depot')
  const neededBy = new Date(Date.now() + 7 * 86_400_000).toISOString()
  const repair = await workshop.flows.startAndWaitForBooking('repairShop', {
    caseNo,
    request: { PupUid: 'depot', customerUid, size, neededBy },
  })
  const request = { PupUid: 'pup-1', AllowLargerLockers: true, AllowOverflowLockers: false, Dimension: size }
  const ToUserUid = await other.people.create('kim')
  const issue = await other.flows.startAndWaitForBooking('issue', { caseNo, request: { ...request, ToUserUid } })
  expect(repair).toMatchObject({ kind: 'Booked', shipments: [{ role: 'intake', pupUid: 'depot', lockerName: 'D1' }] })
  expect(issue).toMatchObject({ kind: 'Booked', shipments: [{ role: 'issue', pupUid: 'pup-1' }] })

  await workshop.people.dropOff(caseNo)
  await workshop.people.pickUp(caseNo)
  await untilStage(workshop, 'quote')
  expect(calls).toEqual([['printLabel', repair.kind === 'Booked' && repair.shipments[0]?.shipmentUid]])
  const priced = { step: 'quote', answer: 'priced', fields: { cents: 4_900 } } as const
  expect(await workshop.flows.answer<'repairShop'>(caseNo, priced)).toMatchObject({ kind: 'Answered' })
  expect(await workshop.flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
  expect(calls.slice(1)).toEqual([['voidLabel', caseNo]])

  expect(await other.flows.status(caseNo)).toMatchObject({ status: { flow: 'issue', stage: 'dropOff' } })
  const { items } = await other.api.call('GetShipments', { referenceCaseNo: caseNo })
  expect(items).toMatchObject([{ pupUid: 'pup-1', stateCode: 'ReadyForDropOff' }])
  await other.people.dropOff(caseNo)
  await other.people.pickUp(caseNo)
  expect(await other.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  const called = other.callbacks.of(caseNo).map(({ shipmentUid }) => shipmentUid)
  expect(new Set(called)).toEqual(new Set([items[0]?.shipmentUid]))
})
