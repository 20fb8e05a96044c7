import type { OperationName } from '#contract'
import { fillChain } from '../chains.ts'
import type { Site } from '../site.ts'
import { booking } from '../topology.ts'
import { a, after, broken, type Checks, checksOf, done, type Fault, nothing, wrong } from './checks.ts'

const full = after('NoLockerAvailable', 'Stock', 'Stock', 'Stock', 'Stock')
const place = wrong('InvalidPupUid', { PupUid: nothing })
const sender = wrong('InvalidUserUid', { FromUserUid: nothing })
const receiver = wrong('InvalidUserUid', { ToUserUid: nothing })
const locker = wrong('InvalidLocker', { LockerUid: nothing })
const brokenLocker = { ...broken('L1'), fields: { LockerUid: 'square:L1' } }
const size = wrong('InvalidDimension', { Dimension: { width: 1, height: 1, length: 41 } })
const unread = wrong('InvalidRequest', { AllowLargerLockers: 'yes' })
const prior = wrong('InvalidShipment', { PriorShipmentUid: nothing })
const cancelled = after('InvalidShipmentState', 'cancel a')
const chain: Fault = { code: 'ChainTooLong', about: 'prior shipment', prepare: site => fillChain(site, 'a') }

const making = ({ users }: Site) => ({ ...booking, ToUserUid: users.ada, KeepBookedAfterPickUp: false })
const intake = ({ users }: Site) => ({ ...booking, FromUserUid: users.ada })
const books = (operation: OperationName, sound: (site: Site) => object, ...users: Fault[]): Checks =>
  checksOf({ operation, sound, faults: [unread, place, ...users, locker, brokenLocker, size, full] })

const issuing = (site: Site) => ({ PriorShipmentUid: a(site), ToUserUid: site.users.ada })
const issues = (operation: OperationName, ...links: Fault[]): Checks =>
  checksOf({
    operation,
    prepare: done('Stock'),
    sound: issuing,
    faults: [wrong('InvalidRequest', { Issue: 1 }), prior, receiver, cancelled, ...links, broken()],
  })

/** Operations that create shipments. */
export const checksOfShipments: readonly Checks[] = [
  books('CreateLocalShipment', making, receiver),
  checksOf({
    operation: 'CreateLocalShipment',
    as: 'a swap',
    prepare: done('Issue'),
    sound: site => ({ ...making(site), SwapsShipmentUid: a(site) }),
    faults: [
      unread,
      wrong('InvalidShipment', { SwapsShipmentUid: nothing }),
      place,
      sender,
      receiver,
      cancelled,
      chain,
      locker,
      broken(),
      size,
    ],
  }),
  books('CreateLocalShipmentAsIssue', making, receiver),
  books('CreateLocalShipmentAsIssueAndSwapIntake', making, receiver),
  books('CreateLocalShipmentAsStock', () => booking),
  books('CreateLocalShipmentAsIntake', intake, sender),
  books('CreateLocalShipmentAsIntakeAndCircularStock', intake, sender),
  books('CreateCollectOnlyShipment', making, receiver),
  books('CreateCollectOnlyShipmentAsCollectByDispatcher', making),
  books('CreateCollectOnlyShipmentAsCollectByUser', making, receiver),
  checksOf({
    operation: 'CreateLocalShipmentAsStockAfterSwapIntake',
    prepare: done('Intake'),
    sound: site => ({ PriorShipmentUid: a(site), Dimension: booking.Dimension }),
    faults: [wrong('InvalidRequest', { Details: 1 }), prior, cancelled, chain, broken(), size],
  }),
  issues('CreateLocalShipmentAsIssueFromStock'),
  issues('CreateLocalShipmentAsIssueFromStockAndSwapIntake', chain),
  issues('CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock', chain),
]
