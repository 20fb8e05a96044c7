import { type OperationName, objectLimits } from '#contract'
import { insertObjects } from '../objects.ts'
import type { Site } from '../site.ts'
import type { Step } from '../steps.ts'
import { a, after, broken, type Checks, checksOf, done, type Fault, nothing, wrong } from './checks.ts'

const unknown = wrong('InvalidShipment', { shipmentUid: nothing })
const cancelled = after('InvalidShipmentState', 'cancel a')
const wrongCode = wrong('InvalidAccessCode', { pinCode: 'wrong' })
const page = wrong('InvalidRequest', { pageNo: 0 })

/** Five wrong codes. */
const locked = (step: Step): Fault => ({
  code: 'TooManyAttempts',
  async prepare(site) {
    for (let count = 0; count < 5; count++) await site.run(step, { pinCode: 'wrong' })
  },
})

const hardwareFails: Fault = {
  code: 'UnlockFailed',
  prepare: ({ world }) => world.call('SetSandboxFaults', { hardwareFails: true }),
}

const texts = { Description: null, ReferenceNo: 'no', ReferenceCaseNo: 'case' }
const lists = (operation: OperationName): Checks => checksOf({ operation, sound: () => ({}), faults: [page] })
const listsShipments = (operation: OperationName, step: Step): Checks =>
  checksOf({
    operation,
    prepare: done(step),
    sound: () => ({}),
    faults: [
      page,
      { code: 'PageTooLarge', about: 'pageSize', prepare: site => insertObjects(site, 'a', objectLimits.page + 1) },
    ],
  })
const codeOf = async (site: Site) => (await site.read('a')).deliveryCode

/** Operations on existing shipments, and operations that concern no shipment. */
export const checksOfManagement: readonly Checks[] = [
  checksOf({
    operation: 'SetShipmentDetails',
    prepare: done('Issue'),
    sound: site => ({ shipmentUid: a(site), ...texts }),
    faults: [wrong('InvalidRequest', { ReferenceNo: 1 }), unknown, cancelled],
  }),
  checksOf({
    operation: 'AddShipmentObject',
    prepare: done('Issue'),
    sound: site => ({ shipmentUid: a(site), details: {} }),
    faults: [
      wrong('InvalidRequest', { details: { count: 0 } }),
      unknown,
      cancelled,
      {
        code: 'TooManyObjects',
        about: 'shipmentUid',
        prepare: site => insertObjects(site, 'a', objectLimits.shipment),
      },
    ],
  }),
  checksOf({
    operation: 'RemoveShipmentObject',
    prepare: done('Issue', 'addObject a'),
    sound: async site => ({
      shipmentUid: a(site),
      shipmentObjectUid: (await site.read('a')).objects[0]?.shipmentObjectUid,
    }),
    faults: [
      wrong('InvalidRequest', { shipmentObjectUid: 1 }),
      unknown,
      wrong('InvalidShipmentObject', { shipmentObjectUid: nothing }),
      cancelled,
    ],
  }),
  checksOf({
    operation: 'SetShipmentReceiver',
    prepare: done('Stock'),
    sound: site => ({ shipmentUid: a(site), toUserUid: site.users.ben }),
    faults: [
      wrong('InvalidRequest', { toUserUid: '' }),
      unknown,
      wrong('InvalidUserUid', { toUserUid: nothing }),
      after('InvalidShipmentState', 'setReceiver a'),
    ],
  }),
  checksOf({
    operation: 'CancelShipment',
    prepare: done('Issue'),
    sound: site => ({ shipmentUid: a(site) }),
    faults: [wrong('InvalidRequest', { shipmentUid: 1 }), unknown, cancelled],
  }),
  checksOf({
    operation: 'GetShipmentAccessCode',
    prepare: done('Issue'),
    sound: site => ({ shipmentUid: a(site) }),
    faults: [wrong('InvalidRequest', { shipmentUid: 1 }), unknown],
  }),
  checksOf({
    operation: 'UnlockShipmentLocker',
    prepare: done('Issue'),
    sound: async site => ({ shipmentUid: a(site), unlockGoal: 'DropOff', pinCode: await codeOf(site) }),
    faults: [
      wrong('InvalidRequest', { unlockGoal: 'Inspect' }),
      unknown,
      cancelled,
      wrong('UnlockNotAllowed', { unlockGoal: 'PickUp' }),
      locked('unlock DropOff a'),
      wrongCode,
      hardwareFails,
    ],
  }),
  checksOf({
    operation: 'SimulateLockerAccess',
    prepare: done('Issue'),
    sound: async site => ({ pupUid: 'square', lockerName: 'S1', pinCode: await codeOf(site) }),
    faults: [
      wrong('InvalidRequest', { pinCode: 1 }),
      wrong('InvalidPupUid', { pupUid: nothing }),
      wrong('InvalidLocker', { lockerName: nothing }),
      locked('dropOff a'),
      wrongCode,
      broken(),
    ],
  }),
  listsShipments('GetShipments', 'Issue'),
  listsShipments('GetLocalShipments', 'Issue'),
  listsShipments('GetCollectOnlyShipments', 'CollectOnly'),
  lists('GetPickUpPoints'),
  checksOf({
    operation: 'ConfigureCallback',
    sound: ({ receiver }) => ({ url: receiver.url, authType: 'HMAC' }),
    faults: [
      wrong('InvalidRequest', { authType: 'Password' }),
      wrong('InvalidCallbackUrl', { url: 'ftp://host.example' }),
    ],
  }),
  checksOf({
    operation: 'SetSandboxFaults',
    sound: () => ({}),
    faults: [wrong('InvalidRequest', { hardwareFails: 'yes' })],
  }),
]
