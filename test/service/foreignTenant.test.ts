import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationName, ShipmentItem } from '#contract'
import { booking, item } from './places.ts'
import { startWorld, type World } from './world.ts'

let world: World
/** What globex has, by the name of its kind. */
const foreign = { shipment: '', pup: 'harbour', locker: 'harbour:2', account: '', object: '' }
/** What acme has itself. */
let mine = ''
/** The shipments of globex, before anything was asked about them. */
let there: readonly ShipmentItem[] = []
const unknown = 'no-such-thing'

beforeAll(async () => {
  world = await startWorld()
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' }, 'globex')
  foreign.shipment = shipmentUids[0] ?? ''
  const attached = { shipmentUid: foreign.shipment, details: {} }
  foreign.object = (await world.call('AddShipmentObject', attached, 'globex')).shipmentObjectUid
  const own = await world.call('CreateLocalShipmentAsStock', { ...booking, PupUid: 'shared' })
  mine = own.shipmentUids[0] ?? ''
  const ask = { firstName: 'Ada', lastName: 'L', emailAddress: 'a@away.example', pickUpPointUid: 'harbour' }
  there = (await world.call('GetShipments', {}, 'globex')).items
  foreign.account = (await world.call('CreateAccount', ask, 'globex')).userUid ?? ''
})

afterAll(() => world.stop())

const person = { firstName: 'Ada', lastName: 'L', emailAddress: 'new@home.example' }
interface Row {
  readonly operation: OperationName
  readonly kind: keyof typeof foreign
  readonly ask: (uid: string) => object
}

const rows: Row[] = [
  { operation: 'CancelShipment', kind: 'shipment', ask: shipmentUid => ({ shipmentUid }) },
  { operation: 'GetShipmentAccessCode', kind: 'shipment', ask: shipmentUid => ({ shipmentUid }) },
  { operation: 'UnlockShipmentLocker', kind: 'shipment', ask: shipmentUid => ({ shipmentUid }) },
  {
    operation: 'SetShipmentReceiver',
    kind: 'shipment',
    ask: shipmentUid => ({ shipmentUid, toUserUid: foreign.account }),
  },
  {
    operation: 'SetShipmentReceiver',
    kind: 'shipment',
    ask: shipmentUid => ({ shipmentUid, removeReceiver: true }),
  },
  {
    operation: 'CreateLocalShipmentAsStockAfterSwapIntake',
    kind: 'shipment',
    ask: PriorShipmentUid => ({ PriorShipmentUid, Dimension: item }),
  },
  ...(
    [
      'CreateLocalShipmentAsIssueFromStock',
      'CreateLocalShipmentAsIssueFromStockAndSwapIntake',
      'CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock',
    ] as const
  ).map(
    (operation): Row => ({
      operation,
      kind: 'shipment',
      ask: PriorShipmentUid => ({ PriorShipmentUid, ToUserUid: foreign.account }),
    }),
  ),
  ...(
    [
      'CreateLocalShipmentAsIntake',
      'CreateLocalShipmentAsIntakeAndCircularStock',
      'CreateLocalShipmentAsIssueAndSwapIntake',
    ] as const
  ).flatMap((operation): Row[] => {
    const users = () => ({ FromUserUid: foreign.account, ToUserUid: foreign.account })
    return [
      { operation, kind: 'pup', ask: PupUid => ({ ...booking, ...users(), PupUid }) },
      { operation, kind: 'locker', ask: LockerUid => ({ ...booking, ...users(), LockerUid }) },
    ]
  }),
  ...(
    [
      'CreateLocalShipment',
      'CreateCollectOnlyShipment',
      'CreateCollectOnlyShipmentAsCollectByDispatcher',
      'CreateCollectOnlyShipmentAsCollectByUser',
    ] as const
  ).flatMap((operation): Row[] => {
    const all = () => ({ ...booking, ToUserUid: foreign.account, KeepBookedAfterPickUp: false })
    return [
      { operation, kind: 'pup', ask: PupUid => ({ ...all(), PupUid }) },
      { operation, kind: 'locker', ask: LockerUid => ({ ...all(), LockerUid }) },
    ]
  }),
  {
    operation: 'CreateLocalShipment',
    kind: 'shipment',
    ask: SwapsShipmentUid => ({ ...booking, PupUid: 'shared', ToUserUid: foreign.account, SwapsShipmentUid }),
  },
  {
    operation: 'CreateLocalShipment',
    kind: 'pup',
    ask: PupUid => ({ ...booking, PupUid, ToUserUid: foreign.account, SwapsShipmentUid: mine }),
  },
  {
    operation: 'CreateLocalShipment',
    kind: 'locker',
    ask: LockerUid => ({
      ...booking,
      PupUid: 'shared',
      LockerUid,
      ToUserUid: foreign.account,
      SwapsShipmentUid: mine,
    }),
  },
  {
    operation: 'SetShipmentDetails',
    kind: 'shipment',
    ask: shipmentUid => ({ shipmentUid, Description: null, ReferenceNo: 'r', ReferenceCaseNo: 'c' }),
  },
  {
    operation: 'AddShipmentObject',
    kind: 'shipment',
    ask: shipmentUid => ({ shipmentUid, details: {}, changePickUpAccess: true, changeDropOffAccess: true }),
  },
  {
    operation: 'RemoveShipmentObject',
    kind: 'shipment',
    ask: shipmentUid => ({ shipmentUid, shipmentObjectUid: foreign.object }),
  },
  {
    operation: 'RemoveShipmentObject',
    kind: 'object',
    ask: shipmentObjectUid => ({ shipmentUid: mine, shipmentObjectUid }),
  },
  ...(['GetShipments', 'GetLocalShipments', 'GetCollectOnlyShipments'] as const).flatMap((operation): Row[] => [
    { operation, kind: 'shipment', ask: shipmentUid => ({ shipmentUid }) },
    { operation, kind: 'pup', ask: bookedPupUid => ({ bookedPupUid }) },
    { operation, kind: 'account', ask: userUid => ({ userUid }) },
  ]),
  { operation: 'GetPickUpPoints', kind: 'pup', ask: pupUid => ({ pupUid, includeDetails: true }) },
  { operation: 'CreateLocalShipmentAsStock', kind: 'pup', ask: PupUid => ({ ...booking, PupUid }) },
  { operation: 'CreateLocalShipmentAsStock', kind: 'locker', ask: LockerUid => ({ ...booking, LockerUid }) },
  {
    operation: 'CreateLocalShipmentAsIssue',
    kind: 'pup',
    ask: PupUid => ({ ...booking, Dimension: item, ToUserUid: foreign.account, PupUid }),
  },
  {
    operation: 'SimulateLockerAccess',
    kind: 'pup',
    ask: pupUid => ({ pupUid, lockerName: '1', pinCode: '000000' }),
  },
  { operation: 'CreateAccount', kind: 'pup', ask: pickUpPointUid => ({ ...person, pickUpPointUid }) },
  { operation: 'CreateOrGetAccount', kind: 'pup', ask: pickUpPointUid => ({ ...person, pickUpPointUid }) },
  { operation: 'GetAccount', kind: 'account', ask: userUid => ({ userUid }) },
]

describe("somebody else's is answered exactly like an unknown one", () => {
  test.each(rows)('$operation with a $kind', async ({ operation, kind, ask }) => {
    const one = await world.service.call(operation, ask(foreign[kind]))
    const other = await world.service.call(operation, ask(unknown))
    expect(one.text).toBe(other.text)
    expect(one.status).toBe(other.status)
  })

  test('and nothing of it has changed', async () => {
    expect(there).toHaveLength(1)
    const { items } = await world.call('GetShipments', {}, 'globex')
    expect(items).toEqual(there)
  })
})

test('an account may receive, whoever manages it', async () => {
  const ask = { ...booking, ToUserUid: foreign.account }
  expect(await world.call('CreateLocalShipmentAsIssue', ask)).toMatchObject({ success: true })
})
