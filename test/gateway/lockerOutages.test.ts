import { pino } from 'pino'
import { beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { createApi } from '#contract/client'
import type { FlowShipment, FlowStatus } from '#flows'
import { watchLockers } from '../../gateway/lockerOutages.ts'
import { createLockerRegistry, type LockerRegistry } from '../../service/outOfService/index.ts'
import { pass } from '../../testing/stack/wire.ts'
import { eventually } from '../support/eventually.ts'
import { book } from '../support/flows/booking.ts'
import { eventsOf } from '../support/flows/history.ts'
import { startRelay } from '../support/servers/relay.ts'
import { bodyOf, postAll, signed } from '../support/world/gatewayTest.ts'
import { silentLog } from '../support/world/settings.ts'
import { useWorld } from '../support/world/useWorld.ts'

// Its flows poll after an hour.
const world = useWorld()
/** Milliseconds. */
const outageInterval = 100

let lockers: LockerRegistry
beforeAll(async () => {
  lockers = createLockerRegistry(world.service.store, Date.now)
  await world.restartGateway({ outageInterval })
})

const doorOf = ({ pupUid, lockerName }: FlowShipment) => ({ pupUid: pupUid ?? '', lockerName: lockerName ?? '' })
const isBroken = ({ shipments: [shipment] }: FlowStatus) => shipment?.lockerOutOfService === true
const polls = () => world.toService.passings.filter(({ path }) => path.endsWith('GetShipments')).length

/** The messages about lockers that a flow has received. */
async function messagesTo(caseNo: string): Promise<number> {
  const events = await eventsOf(world, caseNo)
  const payloads = events.flatMap(event => event.workflowExecutionSignaledEventAttributes?.input?.payloads ?? [])
  return payloads.filter(({ data }) => Buffer.from(data ?? []).includes('lockerOutOfService')).length
}

describe('the gateway reads the lockers out of service', () => {
  test('a flow learns of its locker at once, and of its return', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await lockers.takeOutOfService(doorOf(shipment), 'door bent')
    await world.statusWhen(caseNo, isBroken)
    await lockers.returnToService(doorOf(shipment))
    await world.statusWhen(caseNo, status => !isBroken(status))
    expect(await messagesTo(caseNo)).toBe(2)
    await world.open(shipment, 'deliveryCode')
    expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('a second gateway tells a flow what it knows, and the flow reads nothing', async () => {
    const { caseNo, shipment } = await book(world, 'stock')
    await lockers.takeOutOfService({ pupUid: doorOf(shipment).pupUid }, 'flooded')
    await world.statusWhen(caseNo, isBroken)
    const [messages, before] = [await messagesTo(caseNo), polls()]
    await world.restartGateway({ outageInterval })
    await eventually(async () => (await messagesTo(caseNo)) > messages)
    await world.statusWhen(caseNo, isBroken)
    expect(polls()).toBe(before)
    await lockers.returnToService({ pupUid: doorOf(shipment).pupUid })
    await world.statusWhen(caseNo, status => !isBroken(status))
    await world.flows.cancel(caseNo, 'over')
  })

  test('Temporal that is away shows in the health check, and uses up no signals of the case', async () => {
    const relay = await startRelay(inject('temporal').address)
    const keys = { current: 'a-key-of-callbacks-that-is-long-enough' }
    await world.restartGateway({ outageInterval: 1, temporal: { address: relay.address }, keys })
    const { address } = world.toGateway
    const isReady = async () => (await fetch(`${address}/health/ready`)).ok
    const { caseNo, shipment } = await book(world, 'stock')
    await relay.cut()
    await lockers.takeOutOfService(doorOf(shipment), 'door bent')
    await eventually(async () => !(await isReady()))
    await relay.mend()
    await world.statusWhen(caseNo, isBroken)
    await eventually(isReady)
    const { shipmentUid, stateCode } = shipment
    const same = { shipmentUid, stateCode: stateCode as 'ReadyForDropOff' }
    const bodies = Array.from({ length: 50 }, (_, count) => bodyOf(caseNo, { ...same, referenceNo: `R${count}` }))
    const statuses = await postAll({ address }, bodies, body => signed(body, { by: [keys.current] }))
    expect(new Set(statuses)).toEqual(new Set([204]))
    await world.restartGateway({ outageInterval })
    await relay.cut()
    await lockers.returnToService(doorOf(shipment))
    await world.flows.cancel(caseNo, 'over')
  })

  test('a reading that fails is logged once and repeated, and a gateway that stops ends it', async () => {
    const lines: string[] = []
    const log = pino({ level: 'warn' }, { write: line => void lines.push(line) })
    world.toService.rule = ({ path }) => (path.endsWith('GetShipments') ? { kind: 'cut' } : pass)
    const before = polls()
    await world.restartGateway({ outageInterval, api: world.apiSettings, log })
    await eventually(() => polls() > before + 12)
    world.toService.rule = () => pass
    const { caseNo, shipment } = await book(world, 'stock')
    await lockers.takeOutOfService(doorOf(shipment), 'door bent')
    await world.statusWhen(caseNo, isBroken)
    const ids = lines.map(line => JSON.parse(line).logId)
    expect(ids.filter(id => id === 'outages-not-read')).toHaveLength(1)
    await lockers.returnToService(doorOf(shipment))
    await world.flows.cancel(caseNo, 'over')
  })

  test('every page is read, and a flow whose case had too many signals is told once it may get more', async () => {
    const { caseNo } = await book(world, 'stock')
    const [item] = await world.shipmentsOf(caseNo)
    const outOfService = { since: '2026-01-02T03:04:05', reason: 'door bent' }
    let readings = 0
    world.toService.rule = ({ path, body: request }) => {
      if (!path.endsWith('GetShipments') || !request.includes('outOfService')) return pass
      const { pageNo } = JSON.parse(request)
      readings++
      const items = [{ ...item, shipmentUid: `S${pageNo}`, referenceCaseNo: 'no-flow', outOfService }]
      return { kind: 'answer', body: { success: true, items, pageNo, pageSize: 10, totalItems: 2, totalPages: 2 } }
    }
    const told: string[] = []
    const stopping = new AbortController()
    const api = createApi(world.apiSettings)
    onTestFinished(() => api.close())
    const watching = watchLockers({
      api,
      async signal(_message, _caseNo, { shipmentUid }) {
        told.push(shipmentUid)
        if (told.length > 1) return { outcome: 'signalled' }
        return { outcome: 'limited', reason: 'too many signals', retryAfter: 30 }
      },
      signaller: { probe: async () => undefined },
      readiness: { state: { temporal: true, service: true }, temporalUnavailable() {} },
      log: silentLog,
      stopping: stopping.signal,
      interval: 1,
    })
    await eventually(() => readings > 20)
    stopping.abort()
    await watching
    expect(told).toEqual(['S1', 'S2', 'S1'])
    await world.flows.cancel(caseNo, 'over')
  })

  test('a gateway that stops tells no further flows', async () => {
    const { caseNo } = await book(world, 'stock')
    const [item] = await world.shipmentsOf(caseNo)
    const outOfService = { since: '2026-01-02T03:04:05', reason: 'door bent' }
    const items = ['S1', 'S2', 'S3'].map(uid => ({
      ...item,
      shipmentUid: uid,
      referenceCaseNo: 'no-flow',
      outOfService,
    }))
    const body = { success: true, items, pageNo: 1, pageSize: 10, totalItems: 3, totalPages: 1 }
    world.toService.rule = ({ path, body: request }) =>
      path.endsWith('GetShipments') && request.includes('outOfService') ? { kind: 'answer', body } : pass
    const told: string[] = []
    const stopping = new AbortController()
    const api = createApi(world.apiSettings)
    onTestFinished(() => api.close())
    await watchLockers({
      api,
      async signal(_message, _caseNo, { shipmentUid }) {
        told.push(shipmentUid)
        stopping.abort()
        return { outcome: 'signalled' }
      },
      signaller: { probe: async () => undefined },
      readiness: { state: { temporal: true, service: true }, temporalUnavailable() {} },
      log: silentLog,
      stopping: stopping.signal,
      interval: 1,
    })
    expect(told).toEqual(['S1'])
    await world.flows.cancel(caseNo, 'over')
  })

  test('a service that does not know the filter is asked rarely, and no flow is told', async () => {
    const { caseNo } = await book(world, 'stock')
    const items = [{ ...(await world.shipmentsOf(caseNo))[0], outOfService: null }]
    const body = { success: true, items, pageNo: 1, pageSize: 10, totalItems: 1, totalPages: 1 }
    // The gateway of the tests before reads over this wire too.
    await world.restartGateway()
    let readings = 0
    world.toService.rule = ({ path, body: request }) => {
      if (!path.endsWith('GetShipments') || !request.includes('outOfService')) return pass
      readings++
      return { kind: 'answer', body }
    }
    await world.restartGateway({ outageInterval: 1, api: world.apiSettings })
    await eventually(() => readings === 1)
    await world.flows.cancel(caseNo, 'over')
    expect(readings).toBe(1)
    expect(await messagesTo(caseNo)).toBe(0)
  })
})
