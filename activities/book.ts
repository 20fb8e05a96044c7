import { type Api, ApiFault, ApiRefusal } from '#api'
import type { OperationName, operations, RequestOf } from '#contract'
import { adopt } from './adopt.ts'
import { finalFailure, translated } from './failures.ts'
import type { BookedSet, BookedShipment, BookOrder } from './interface.ts'
import { bookedSets, firstInFront, withRoles } from './sets.ts'
import { readShipment } from './shipments.ts'

/** Services keep an idempotency key for a day; a flow that books later than this looks first. Milliseconds. */
const trustedKeyAge = 12 * 3_600_000

/**
 * Books, and reads the shipments back, so that a flow starts from their real states.
 * Where the service honours the idempotency key a repeated attempt is answered the same; elsewhere, and when the key
 * may be forgotten after a reset, the attempt looks for an earlier one before it creates, and for a late one after.
 * It only reports what it finds: an attempt that Temporal no longer believes in must not cancel what the flow holds.
 */
export async function book(api: Api, order: BookOrder): Promise<BookedSet[]> {
  const { profile, since } = order
  return translated(async () => {
    if (order.adopt) return adopt(api, order)
    const keyHolds = profile.idempotent && Date.now() - Date.parse(since) < trustedKeyAge
    if (keyHolds) return [await readBack(api, order, await create(api, order))]
    if (!profile.reads) return [await readBack(api, order, await createOnce(api, order))]
    const earlier = await bookedSets(api, order)
    return earlier.length > 0 ? earlier : createAndLook(api, order)
  })
}

/** What a booking without an answer left behind: all sets, the oldest first. Nothing where it cannot be asked. */
export async function findBooked(api: Api, order: BookOrder): Promise<BookedSet[]> {
  return order.profile.reads ? translated(() => bookedSets(api, order)) : []
}

/** An earlier attempt that committed after we looked can be the very reason for a refusal: it took the locker. */
async function createAndLook(api: Api, order: BookOrder): Promise<BookedSet[]> {
  try {
    const created = await readBack(api, order, await create(api, order))
    const sets = await bookedSets(api, order)
    return sets.length > 0 ? sets : [created]
  } catch (error) {
    const isFinal = error instanceof ApiRefusal || (error instanceof ApiFault && !error.retryable)
    const sets = isFinal ? await bookedSets(api, order) : []
    if (sets.length === 0) throw error
    return sets
  }
}

async function create(api: Api, { operation, request, idempotencyKey, profile }: BookOrder): Promise<string[]> {
  // The plan checked the request by the schema of this very operation.
  const name = operation as CreateName
  const answer = await api.call(name, request as RequestOf<CreateName>, profile.idempotent ? { idempotencyKey } : {})
  return 'shipmentUids' in answer ? answer.shipmentUids : [answer.shipmentUid]
}

/** What makes shipments: the flow-specific operations answer their uids, the main ones the one shipment. */
type CreateName = {
  [Name in OperationName]: (typeof operations)[Name]['response']['shape'] extends
    | { shipmentUids: unknown }
    | { shipmentUid: unknown; lockerName: unknown }
    ? Name
    : never
}[OperationName]

/** A service that can neither be asked nor told a key: a lost answer cannot be mended by a machine. */
async function createOnce(api: Api, order: BookOrder): Promise<string[]> {
  try {
    return await create(api, order)
  } catch (error) {
    if (error instanceof ApiFault && error.maybeDone && !order.profile.idempotent) {
      throw finalFailure('BookingUncertain', `The answer to ${order.operation} was lost: ${error.code}`)
    }
    throw error
  }
}

/** Whatever becomes of the reading, the shipments are made by now. */
async function readBack(api: Api, order: BookOrder, shipmentUids: string[]): Promise<BookedSet> {
  const unread = () => shipmentUids.map((shipmentUid, index) => unreadShipment(order, shipmentUid, index))
  if (!order.profile.reads) return unread()
  try {
    const items = await Promise.all(shipmentUids.map(shipmentUid => readShipment(api, shipmentUid)))
    const found = items.filter(item => item !== undefined)
    return withRoles(order, firstInFront(order, found)) ?? unread()
  } catch (error) {
    if (error instanceof ApiFault && error.retryable) {
      throw new ApiFault({ ...error, maybeDone: true }, error.message, error.cause)
    }
    if (error instanceof ApiFault || error instanceof ApiRefusal) return unread()
    throw error
  }
}

/** A shipment that cannot be read, in the state that the booking leaves it in; its role by the order of the answer. */
function unreadShipment({ roles, request }: BookOrder, shipmentUid: string, index: number): BookedShipment {
  const { name, first } = roles[index] ?? { name: 'unknown', first: 'Unknown' }
  const pupUid = typeof request.PupUid === 'string' ? request.PupUid : null
  return { role: name, shipmentUid, stateCode: first, stateStart: '', pupUid, lockerName: null }
}
