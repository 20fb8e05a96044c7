import { type Api, ApiFault } from '#api'
import type { OperationName, operations, RequestOf, ShipmentItem } from '#contract'
import { readStateCode } from '#contract/terms'
import { cancelShipments } from './cancelShipments.ts'
import { finalFailure, translated } from './failures.ts'
import type { BookedShipment, BookOrder } from './interface.ts'
import { findShipments, readShipment, seen } from './shipments.ts'

/** How far the service's clock may be behind ours, in milliseconds, when looking for what a flow booked. */
const clockSlack = 15 * 60_000

/**
 * Books, and reads the shipments back, so that a flow starts from their real states.
 * Where the service honours the idempotency key a repeated attempt is answered the same; elsewhere the attempt
 * looks for an earlier one before it creates and for a late one after.
 */
export async function book(api: Api, order: BookOrder): Promise<BookedShipment[]> {
  return translated(async () => {
    if (order.profile.idempotent) return readBack(api, order, await create(api, order))
    if (!order.profile.reads) return readBack(api, order, await createOnce(api, order))
    const [earlier] = await bookedSets(api, order)
    if (earlier !== undefined) return withRoles(order, earlier)
    const created = await readBack(api, order, await create(api, order))
    return keepOldest(api, order, created)
  })
}

/** What a booking without an answer left behind: all sets, the oldest first. Nothing where it cannot be asked. */
export async function findBooked(api: Api, order: BookOrder): Promise<BookedShipment[]> {
  if (!order.profile.reads) return []
  return translated(async () => (await bookedSets(api, order)).flatMap(set => withRoles(order, set)))
}

async function create(api: Api, { operation, request, idempotencyKey, profile }: BookOrder): Promise<string[]> {
  // The plan checked the request by the schema of this very operation.
  const name = operation as CreateName
  const answer = await api.call(name, request as RequestOf<CreateName>, profile.idempotent ? { idempotencyKey } : {})
  return answer.shipmentUids
}

type CreateName = {
  [Name in OperationName]: (typeof operations)[Name]['response']['shape'] extends { shipmentUids: unknown }
    ? Name
    : never
}[OperationName]

/** A service that can neither be asked nor told a key: a lost answer cannot be mended by a machine. */
async function createOnce(api: Api, order: BookOrder): Promise<string[]> {
  try {
    return await create(api, order)
  } catch (error) {
    if (error instanceof ApiFault && error.maybeDone) {
      throw finalFailure('BookingUncertain', `The answer to ${order.operation} was lost: ${error.message}`)
    }
    throw error
  }
}

async function readBack(api: Api, order: BookOrder, shipmentUids: string[]): Promise<BookedShipment[]> {
  if (!order.profile.reads) return shipmentUids.map((shipmentUid, index) => unread(order, shipmentUid, index))
  const items = await Promise.all(shipmentUids.map(shipmentUid => readShipment(api, shipmentUid)))
  return withRoles(
    order,
    items.filter(item => item !== undefined),
  )
}

/** A shipment of a service that cannot be asked, in the state that the booking leaves it in. */
function unread({ roles, request }: BookOrder, shipmentUid: string, index: number): BookedShipment {
  const [role = 'unknown', stateCode = 'Unknown'] = Object.entries(roles)[index] ?? []
  const pupUid = typeof request.PupUid === 'string' ? request.PupUid : null
  return { role, shipmentUid, stateCode, stateStart: '', pupUid, lockerName: null }
}

function withRoles({ roles }: BookOrder, items: readonly ShipmentItem[]): BookedShipment[] {
  const names = Object.keys(roles)
  return items.map((item, index) => ({ role: names[index] ?? 'unknown', ...seen(item) }))
}

/** The sets of shipments that carry the case number and have not been cancelled, the oldest first. */
async function bookedSets(api: Api, order: BookOrder): Promise<ShipmentItem[][]> {
  const { caseNo, profile, request, since } = order
  const from = new Date(Date.parse(since) - clockSlack).toISOString()
  // A booking that may go to the overflow cannot be found by the pick up point that was asked for.
  const place = request.AllowOverflowLockers === true ? null : request.PupUid
  const found = await findShipments(
    api,
    profile.readsByCase
      ? { referenceCaseNo: caseNo, updatedSince: from }
      : { bookedPupUid: typeof place === 'string' ? place : null, updatedSince: from, sortBy: 'CreatedDesc' },
  )
  return found
    .filter(item => item.referenceCaseNo === caseNo && readStateCode(item.stateCode) !== 'Cancelled')
    .sort((one, other) => (one.created < other.created ? -1 : 1))
    .map(item => [item])
}

/** An attempt that had no answer may have committed after this one looked: the oldest set stays. */
async function keepOldest(api: Api, order: BookOrder, created: BookedShipment[]): Promise<BookedShipment[]> {
  const [oldest, ...surplus] = await bookedSets(api, order)
  if (oldest === undefined) return created
  await cancelShipments(api, { shipments: surplus.flat(), profile: order.profile })
  return withRoles(order, oldest)
}
