import { type Api, ApiFault, ApiRefusal } from '#api'
import type { OperationName, operations, RequestOf } from '#contract'
import { cancelShipments } from './cancelShipments.ts'
import { finalFailure, translated } from './failures.ts'
import type { BookedShipment, BookOrder } from './interface.ts'
import { bookedSets, withRoles } from './sets.ts'
import { readShipment } from './shipments.ts'

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
    if (earlier !== undefined) return earlier
    return keepOldest(api, order, await createOrAdopt(api, order))
  })
}

/** What a booking without an answer left behind: all sets, the oldest first. Nothing where it cannot be asked. */
export async function findBooked(api: Api, order: BookOrder): Promise<BookedShipment[]> {
  if (!order.profile.reads) return []
  return translated(async () => (await bookedSets(api, order)).flat())
}

/** An earlier attempt that committed after we looked can be the very reason for a refusal: it took the stock, or the locker. */
async function createOrAdopt(api: Api, order: BookOrder): Promise<BookedShipment[]> {
  try {
    return await readBack(api, order, await create(api, order))
  } catch (error) {
    const [earlier] = error instanceof ApiRefusal ? await bookedSets(api, order) : []
    if (earlier === undefined) throw error
    return earlier
  }
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
  return (
    withRoles(
      order,
      items.filter(item => item !== undefined),
    ) ?? shipmentUids.map((shipmentUid, index) => unread(order, shipmentUid, index))
  )
}

/** A shipment of a service that cannot be asked, in the state that the booking leaves it in. */
function unread({ roles, request }: BookOrder, shipmentUid: string, index: number): BookedShipment {
  const { name, first } = roles[index] ?? { name: 'unknown', first: 'Unknown' }
  const pupUid = typeof request.PupUid === 'string' ? request.PupUid : null
  return { role: name, shipmentUid, stateCode: first, stateStart: '', pupUid, lockerName: null }
}

/** An attempt that had no answer may have committed after this one looked: the oldest set stays. */
async function keepOldest(api: Api, order: BookOrder, created: BookedShipment[]): Promise<BookedShipment[]> {
  const [oldest, ...surplus] = await bookedSets(api, order)
  if (oldest === undefined) return created
  await cancelShipments(api, { shipments: surplus.flat(), profile: order.profile })
  return oldest
}
