import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fullProfile } from '#contract/terms'
import { pass } from '../../../../testing/stack/wire.ts'
import { eventually } from '../../../support/eventually.ts'
import { type ApiWorld, parcel } from '../../../support/world/apiWorld.ts'
import { createWorld } from '../../../support/world/createWorld.ts'
import { apiSettings } from '../../../support/world/settings.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const tenMinutes = 600_000
const profiles = { 'with keys': fullProfile, 'that is looked at': { ...fullProfile, idempotent: false } }

describe.each([
  ['ahead', tenMinutes],
  ['behind', -tenMinutes],
])('a service whose clock is ten minutes %s', (_, off) => {
  // The world's own service is not used: gateway and worker connect to the skewed one.
  const world = useWorld()
  let skewed: ApiWorld

  beforeEach(async () => {
    skewed = await createWorld({ api: true, service: { clock: () => Date.now() + off } })
    await world.restartGateway({ api: apiSettings(skewed.service.address) })
  })

  afterEach(() => skewed.stop())

  test.each(Object.entries(profiles))('%s books once, calls back and completes', async (_, profile) => {
    await world.restartWorker({
      profile,
      api: skewed.apiSettings,
    })
    let lost = 0
    skewed.toService.rule = ({ path }) =>
      path.includes('/CreateLocal') && lost++ === 0 ? { kind: 'loseAnswer' } : pass
    // The service of the world has none of it.
    const caseNo = world.newCase(0)
    const request = { ...parcel, ToUserUid: skewed.userUid }
    const booking = await world.flows.startAndWaitForBooking('issue', { caseNo, request })
    if (booking.kind !== 'Booked' || booking.shipments[0] === undefined) throw new Error(JSON.stringify(booking))
    const [shipment] = booking.shipments
    const { items } = await skewed.api.call('GetShipments', { referenceCaseNo: caseNo })
    expect(items).toHaveLength(1)
    expect(Math.abs(Date.parse(`${items[0]?.created}Z`) - Date.now() - off)).toBeLessThan(60_000)

    await skewed.open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await skewed.open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('has a late duplicate cancelled', async () => {
    await world.restartWorker({
      profile: { ...fullProfile, idempotent: false },
      api: skewed.apiSettings,
      pollInterval: { initial: 200, maximum: 1_000 },
    })
    const caseNo = world.newCase(0)
    const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
    expect(booking).toMatchObject({ kind: 'Booked' })
    const late = { ...parcel, Details: { ReferenceCaseNo: caseNo } }
    const [duplicate = ''] = (await skewed.api.call('CreateLocalShipmentAsStock', late)).shipmentUids
    await eventually(async () => {
      const { items } = await skewed.api.call('GetShipments', { shipmentUid: duplicate })
      return items[0]?.stateCode === 'Cancelled'
    })
    expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ outcome: 'cancelled' })
  })

  test('is cleaned up after', async () => {
    await world.restartWorker({ api: skewed.apiSettings })
    const caseNo = world.newCase(0)
    const input = { caseNo, request: parcel, windows: { dropOff: '2s' } } as const
    expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject({ kind: 'Booked' })
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    expect(await world.flows.cancel(caseNo, 'over')).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
  })
})
