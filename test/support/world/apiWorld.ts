import { type Api, type ApiSettings, createApi } from '#contract/client'
import type { FlowShipment } from '#flows'
import type { Settings } from '#service'
import { startWire, type Wire } from '../../../testing/stack/wire.ts'
import { startTestService, type TestService } from '../service/testService.ts'
import { type ServiceWorld, tokenLifetime, toServiceWorld } from './serviceWorld.ts'
import { apiSettings, silentLog, topology } from './settings.ts'

type Code = 'deliveryCode' | 'pickUpCode'

/** Milliseconds. The calls of a test itself must not fail on a busy machine. */
const longTimeouts = { connect: 60_000, token: 60_000, read: 120_000, change: 120_000 }

/** A service with the demonstration topology, the orchestrator's client, and a user. */
export interface ApiWorld extends ServiceWorld {
  /** The client that bypasses the wire. */
  readonly api: Api
  /** The settings of a worker whose requests use the wire. */
  readonly apiSettings: ApiSettings
  readonly toService: Wire
  readonly userUid: string
  /** Opens the locker of a shipment with one of its codes, as the person at the door does. */
  open(shipment: FlowShipment, code: Code): Promise<void>
  openShipment(shipmentUid: string, code: Code): Promise<void>
}

export const parcel = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}

/** A service and a wire to it. */
export async function startApiWorld(overrides?: Partial<Settings>): Promise<ApiWorld> {
  const service = await startServiceOfApi(overrides)
  const toService = await startWire(() => service.address)
  return toApiWorld(service, toService, async () => {
    await service.stop()
    await toService.stop()
  })
}

export function startServiceOfApi(overrides: Partial<Settings> = {}): Promise<TestService> {
  return startTestService({ topology, tokenLifetime, log: silentLog, databaseUrl: 'file::memory:', ...overrides })
}

/** @param stop stops the service and the wire */
export async function toApiWorld(service: TestService, toService: Wire, stop: () => Promise<void>): Promise<ApiWorld> {
  const direct = apiSettings(service.address)
  const api = createApi({ ...direct, timeouts: longTimeouts })

  async function open({ shipmentUid, pupUid, lockerName }: FlowShipment, code: Code): Promise<void> {
    const codes = await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
    const pinCode = codes[code]
    if (pupUid === null || lockerName === null || pinCode === null)
      throw new Error(`${shipmentUid} has no locker or no ${code}`)
    await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode })
  }

  return {
    ...toServiceWorld(service),
    api,
    apiSettings: { ...direct, baseUrl: toService.address },
    toService,
    userUid: await createUser(api),
    open,
    async openShipment(shipmentUid, code) {
      const { items } = await api.call('GetShipments', { shipmentUid })
      for (const item of items) await open({ ...item, role: '' }, code)
    },
    async stop() {
      await api.close()
      await stop()
    },
  }
}

async function createUser(api: Api): Promise<string> {
  const { userUid } = await api.call('CreateOrGetAccount', {
    emailAddress: 'robin@example.org',
    firstName: 'Robin',
    lastName: 'Reader',
    pickUpPointUid: 'pup-1',
  })
  if (userUid === null) throw new Error('no account')
  return userUid
}
