import type { Link, StateCode } from '#contract/terms'

/** Stands for the shipment that the request names as PriorShipmentUid or SwapsShipmentUid. No role has a name with a blank. */
export const existingShipment = 'existing shipment'

/** The uid of the shipment that a request names; empty without one. */
export function toExistingShipmentUid({ request }: { readonly request: Readonly<Record<string, unknown>> }): string {
  const uid = [request.PriorShipmentUid, request.SwapsShipmentUid].find(value => typeof value === 'string')
  return typeof uid === 'string' ? uid : ''
}

/** A shipment of a booking, by its purpose. */
export interface Role {
  /** The state after the booking, for services that cannot be read. */
  readonly initialState: StateCode
  /** The shipment existed before the flow: the request names it. It may also be stock that has not arrived. */
  readonly existing?: true
  /** The link that identifies the shipment, and the role, or the existing shipment, that it leads to. */
  readonly link?: { readonly by: Link; readonly to: string }
  /** It is booked without a receiver: always, or if this field of the request is true. */
  readonly withoutReceiver?: true | string
}

/** The roles of a booking, in the order of the operation's response. A link leads to a role above. */
export type Roles = Readonly<Record<string, Role>>

const dropOff = { initialState: 'ReadyForDropOff' } as const
const stock = { ...dropOff, withoutReceiver: true } as const
const existing = { initialState: 'ReadyForPickup', existing: true } as const
const collect = { initialState: 'ReadyForPickup' } as const
const swapped = { by: 'swap', to: existingShipment } as const
const waiting = { initialState: 'WaitForPriorShipment' } as const
const circular = { ...waiting, link: { by: 'circular', to: 'intake' }, withoutReceiver: true } as const

/** The shipments that each create operation books. The tests compare the table with the service. */
export const bookings = {
  CreateLocalShipment: { shipment: { ...dropOff, link: swapped, withoutReceiver: 'IsReceiverDelayed' } },
  CreateLocalShipmentAsIssue: { issue: dropOff },
  CreateLocalShipmentAsIntake: { intake: dropOff },
  CreateLocalShipmentAsStock: { stock },
  CreateLocalShipmentAsStockAfterSwapIntake: { stock: { ...stock, link: swapped } },
  CreateLocalShipmentAsIssueAndSwapIntake: {
    issue: dropOff,
    intake: { ...waiting, link: { by: 'swap', to: 'issue' } },
  },
  CreateLocalShipmentAsIntakeAndCircularStock: { intake: dropOff, stock: circular },
  CreateLocalShipmentAsIssueFromStock: { issue: existing },
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: {
    issue: existing,
    intake: { ...dropOff, link: { by: 'swap', to: 'issue' } },
  },
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: {
    issue: existing,
    intake: { ...waiting, link: { by: 'subsequent', to: 'issue' } },
    stock: circular,
  },
  CreateCollectOnlyShipmentAsCollectByUser: { collect },
  CreateCollectOnlyShipmentAsCollectByDispatcher: { collect },
} as const satisfies Readonly<Record<string, Roles>>

export type BookingOperation = keyof typeof bookings

/** The roles of a create operation; undefined for any other operation. */
export function findRoles(operation: string): Roles | undefined {
  const all: Readonly<Record<string, Roles>> = bookings
  return Object.hasOwn(all, operation) ? all[operation] : undefined
}

/** The path of the uid of a role's shipment. */
const uidOfRole = /^([^.]+)\.shipmentUid$/

/** The role whose shipment a call cancels; undefined for any other call. */
export function roleToCancel(operation: string, request: unknown): string | undefined {
  if (operation !== 'CancelShipment' || typeof request !== 'object' || request === null) return undefined
  const [, uid] = Object.entries(request).find(([field]) => field.toLowerCase() === 'shipmentuid') ?? []
  if (typeof uid !== 'object' || uid === null || !('from' in uid) || typeof uid.from !== 'string') return undefined
  return uidOfRole.exec(uid.from)?.[1]
}
