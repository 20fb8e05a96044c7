import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Api, createApi } from '#api'
import { type FlowShipment, fullProfile } from '#contract/terms'
import { demonstration, type Service, startService } from '#service'
import { layWire, pass, type Wire } from '../wire/wire.ts'
import { useWorld } from './useWorld.ts'
import { parcel } from './world.ts'

const tenMinutes = 600_000
const profiles = { 'with keys': fullProfile, 'that is looked at': { ...fullProfile, idempotent: false } }

describe.each([
  ['ahead', tenMinutes],
  ['behind', -tenMinutes],
])('a service whose clock is ten minutes %s', (_, off) => {
  // Its own service is not used; gateway and worker are led to one that has another time.
  const world = useWorld()
  let service: Service
  let wire: Wire
  let api: Api

  beforeEach(async () => {
    service = await startService({ topology: demonstration, clock: () => Date.now() + off })
    wire = await layWire(() => service.address)
    api = createApi({ ...world.apiSettings, baseUrl: service.address, authUrl: service.address })
    await world.restartGateway({ api: { ...world.apiSettings, baseUrl: service.address, authUrl: service.address } })
  })

  afterEach(async () => {
    await Promise.all([api.close(), service.stop()])
    await wire.stop()
  })

  async function open({ shipmentUid, pupUid, lockerName }: FlowShipment, code: 'deliveryCode' | 'pickUpCode') {
    const codes = await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
    const access = { pupUid: pupUid ?? '', lockerName: lockerName ?? '', pinCode: codes[code] ?? '' }
    await api.call('SimulateLockerAccess', access)
  }

  async function user(): Promise<string> {
    const person = { emailAddress: 'robin@example.org', firstName: 'Robin', lastName: 'Reader' }
    const { userUid } = await api.call('CreateOrGetAccount', { ...person, pickUpPointUid: 'pup-1' })
    return userUid ?? ''
  }

  test.each(Object.entries(profiles))('%s books once, calls back and completes', async (_, profile) => {
    await world.restartWorker({
      profile,
      api: { ...world.apiSettings, baseUrl: wire.address, authUrl: service.address },
    })
    let lost = 0
    wire.rule = ({ path }) => (path.includes('/CreateLocal') && lost++ === 0 ? { kind: 'loseAnswer' } : pass)
    // Nothing of it is at the service of the world.
    const caseNo = world.newCase(0)
    const request = { ...parcel, ToUserUid: await user() }
    const booking = await world.flows.startAndWaitForBooking('issue', { caseNo, request })
    if (booking.kind !== 'Booked' || booking.shipments[0] === undefined) throw new Error(JSON.stringify(booking))
    const [shipment] = booking.shipments
    const { items } = await api.call('GetShipments', { referenceCaseNo: caseNo })
    expect(items).toHaveLength(1)
    expect(Math.abs(Date.parse(`${items[0]?.created}Z`) - Date.now() - off)).toBeLessThan(60_000)

    await open(shipment, 'deliveryCode')
    await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUp')
    await open(shipment, 'pickUpCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('is cleaned up after', async () => {
    await world.restartWorker({ api: { ...world.apiSettings, baseUrl: wire.address, authUrl: service.address } })
    const caseNo = world.newCase(0)
    const input = { caseNo, request: parcel, windows: { dropOff: '2s' } } as const
    expect(await world.flows.startAndWaitForBooking('stock', input)).toMatchObject({ kind: 'Booked' })
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    expect(await world.flows.cancel(caseNo, 'over')).toEqual({ kind: 'Cancelled', outcome: 'cancelled', leftOver: [] })
  })
})
