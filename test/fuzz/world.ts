import { examples } from '#contract'
import { type Api, createApi } from '#contract/client'
import { demoTopology, type Service, type Topology } from '#service'

/** Identifiers that exist, so that requests get past the check for unknown ones. */
export interface World {
  readonly pupUids: readonly string[]
  readonly lockerNames: readonly string[]
  /** Codes of a shipment that can be collected repeatedly. */
  readonly pinCodes: readonly string[]
  readonly userUids: readonly string[]
  readonly shipmentUids: readonly string[]
  /** Shipments whose item is in stock. */
  readonly stockUids: readonly string[]
  /** Further ones, reserved for requests that assign a receiver. */
  readonly receiverlessUids: readonly string[]
  /** Intakes, reserved for requests that put what was swapped in stock. */
  readonly intakeUids: readonly string[]
  /** The shipment that has the objects. */
  readonly holderUid: string
  readonly shipmentObjectUids: readonly string[]
}

const large = { width: 60, height: 60, length: 60 }

/** The demonstration topology with more lockers than a run can book. */
export const topology: Topology = {
  ...demoTopology,
  pickUpPoints: demoTopology.pickUpPoints.map(point => ({
    ...point,
    lockers: [...point.lockers, ...['1001-2000', '2001-3000'].map(names => ({ names, ...large }))],
  })),
}

const accounts = 150
const shipmentsEach = 100
const objects = 50

/** Creates accounts, and shipments that are waiting, in stock, or have objects. */
export async function fill(service: Service): Promise<World> {
  const { address } = service
  const api = createApi({ baseUrl: address, authUrl: address, clientId: 'acme', clientSecret: 'acme-secret' })
  try {
    const userUids = await times(accounts, number => account(api, number))
    const [ToUserUid = ''] = userUids
    const issues = await times(shipmentsEach, () => booked(api, 'CreateLocalShipmentAsIssue', { ToUserUid }))
    const stockUids = await times(shipmentsEach, () => putIntoStock(api))
    const receiverlessUids = await times(shipmentsEach, () => putIntoStock(api))
    const intakeUids = await times(shipmentsEach, () =>
      booked(api, 'CreateLocalShipmentAsIntake', { FromUserUid: ToUserUid }),
    )
    const holderUid = await booked(api, 'CreateLocalShipmentAsIssue', { ToUserUid })
    const held = { ...examples.AddShipmentObject.request, shipmentUid: holderUid }
    const shipmentObjectUids = await times(objects, async () => {
      const { shipmentObjectUid } = await api.call('AddShipmentObject', held)
      return shipmentObjectUid
    })
    // Its code opens the locker repeatedly.
    const kept = { ...examples.CreateCollectOnlyShipment.request, ToUserUid, KeepBookedAfterPickUp: true }
    const { shipmentUid, lockerName } = await api.call('CreateCollectOnlyShipment', kept)
    const { pickUpCode } = await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
    return {
      pupUids: topology.pickUpPoints.filter(({ tenants }) => tenants.includes('acme')).map(({ pupUid }) => pupUid),
      lockerNames: [lockerName],
      pinCodes: [pickUpCode ?? ''],
      userUids,
      shipmentUids: [...issues, ...stockUids],
      stockUids,
      receiverlessUids,
      intakeUids,
      holderUid,
      shipmentObjectUids,
    }
  } finally {
    await api.close()
  }
}

async function account(api: Api, number: number): Promise<string> {
  const names = { emailAddress: `user-${number}@acme.example`, userName: `user-${number}` }
  const { userUid } = await api.call('CreateAccount', { ...examples.CreateAccount.request, ...names })
  return userUid ?? ''
}

async function putIntoStock(api: Api): Promise<string> {
  const shipmentUid = await booked(api, 'CreateLocalShipmentAsStock', {})
  await api.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: 'DropOff' })
  return shipmentUid
}

async function booked(
  api: Api,
  name: 'CreateLocalShipmentAsIssue' | 'CreateLocalShipmentAsStock' | 'CreateLocalShipmentAsIntake',
  fields: object,
): Promise<string> {
  const { shipmentUids } = await api.call(name, { ...examples[name].request, ...fields } as never)
  return shipmentUids[0] ?? ''
}

function times<Made>(count: number, make: (number: number) => Promise<Made>): Promise<Made[]> {
  return Promise.all(Array.from({ length: count }, (_, number) => make(number)))
}
