import { setTimeout as sleep } from 'node:timers/promises'
import { ApplicationFailure } from '@temporalio/activity'
import type { OperationName, operations, RequestOf, ShipmentItem } from '#contract'
import { type Api, ApiFault } from '#contract/client'
import { isPermanent, nonRetryable, toFailedAttempt, withApplicationFailures } from './failures.ts'
import { adoptBooking, assignRoles, findBookings, firstRoleFirst } from './findBookings.ts'
import type { BookedShipment, Booking, BookStepInput } from './interface.ts'
import { inCasing, requireOperation, toRequest } from './plan/request.ts'
import { safePageSize } from './shipmentPages.ts'
import { readShipment } from './shipments.ts'

/** Services keep an idempotency key for a day. A flow that books later than this, in milliseconds, searches first. */
const trustedKeyAge = 12 * 3_600_000

/** Pauses between the readings of shipments that are not listed yet, in milliseconds. Less than the timeout of a booking. */
const listingPauses = [250, 500, 1_000, 2_000, 2_000, 4_000]

/**
 * Books, and reads the shipments back, so that a flow starts from their current states.
 * With an idempotency key a repeated attempt gets the same response. Without one, and after a reset when the service may
 * have forgotten the key, the attempt searches for an earlier booking before the create and for a late one after it.
 * It only reports what it finds: an attempt that Temporal has timed out must not cancel what the flow holds.
 * @param now by the clock of the service and of `since`, in milliseconds since 1970
 */
export async function bookShipments(api: Api, input: BookStepInput, now: number): Promise<Booking[]> {
  const { profile, since } = input
  return withApplicationFailures(async () => {
    const adopted = input.adopt && (await adoptBooking(api, input))
    if (adopted) return adopted
    const keyIsKnown = profile.idempotent && now - Date.parse(since) < trustedKeyAge
    if (keyIsKnown) return [await readBack(api, input, await create(api, input))]
    if (!profile.reads) return [await readBack(api, input, await createOnce(api, input))]
    const earlier = await findBookings(api, input)
    return earlier.length > 0 ? earlier : createAndSearch(api, input)
  })
}

/** Checks the request of a step and adds the case number: outputs can be part of it, which the plan does not know. */
export function withCheckedRequest(input: BookStepInput): BookStepInput {
  const { operation, request, caseNo } = input
  return { ...input, request: toRequest(requireOperation(operation), request, caseNo) }
}

/** The bookings of attempts without a response, the oldest first. Empty for a service that cannot be read. */
export async function findUnacknowledged(api: Api, input: BookStepInput): Promise<Booking[]> {
  if (!input.profile.reads) return []
  const request = inCasing(input.operation, input.request)
  return withApplicationFailures(() => findBookings(api, { ...input, request }))
}

/** An earlier attempt that committed after the first search can be the reason for a refusal: it took the locker. */
async function createAndSearch(api: Api, input: BookStepInput): Promise<Booking[]> {
  try {
    const created = await readBack(api, input, await create(api, input))
    return withCreated(await findBookings(api, input).catch(noBookings), created)
  } catch (error) {
    const bookings = isPermanent(error) ? await findBookings(api, input) : []
    if (bookings.length === 0) throw error
    return bookings
  }
}

/**
 * A service may list the booking later than it has created it. Bookings from stock have their existing shipment in common,
 * so one that is listed counts as this one.
 */
function withCreated(found: readonly Booking[], created: Booking): Booking[] {
  const [first] = created
  const isListed = found.some(booking => booking.some(({ shipmentUid }) => shipmentUid === first?.shipmentUid))
  return isListed ? [...found] : [...found, created]
}

/** The uids of the booking are known, so neither a refusal nor other shipments of the case must fail it. */
function noBookings(error: unknown): Booking[] {
  if (isPermanent(error) || (error instanceof ApplicationFailure && error.type === 'BookingUncertain')) return []
  throw afterCreate(error)
}

/** A fault of a read, which by itself says that nothing was booked. The shipments exist by now. */
function afterCreate(error: unknown): unknown {
  if (!(error instanceof ApiFault)) return error
  return new ApiFault({ ...error, outcomeUnknown: true }, error.message, error.cause)
}

async function create(api: Api, { operation, request, idempotencyKey, profile }: BookStepInput): Promise<string[]> {
  // The plan checked the request by the schema of this operation.
  const name = operation as CreateName
  // Temporal retries it, and counts the attempts: the flow searches the bookings of lost ones.
  const options = profile.idempotent ? { idempotencyKey, repeatCreate: false } : {}
  const response = await api.call(name, request as RequestOf<CreateName>, options)
  return 'shipmentUids' in response ? response.shipmentUids : [response.shipmentUid]
}

/** The operations that create shipments: the flow-specific ones return uids, the main ones a single shipment. */
type CreateName = {
  [Name in OperationName]: (typeof operations)[Name]['response']['shape'] extends
    | { shipmentUids: unknown }
    | { shipmentUid: unknown; lockerName: unknown }
    ? Name
    : never
}[OperationName]

/** For a service with neither reads nor keys: after a lost response only a person can tell whether it has booked. */
async function createOnce(api: Api, input: BookStepInput): Promise<string[]> {
  try {
    return await create(api, input)
  } catch (error) {
    if (error instanceof ApiFault && error.outcomeUnknown && !input.profile.idempotent) {
      const message = `The response to ${input.operation} was lost: ${error.code}.`
      throw nonRetryable('BookingUncertain', message, toFailedAttempt(error, true))
    }
    throw error
  }
}

/** The shipments exist by now, so a failed read must not look like a failed booking. */
async function readBack(api: Api, input: BookStepInput, shipmentUids: string[]): Promise<Booking> {
  const unread = () => shipmentUids.map((shipmentUid, index) => unreadShipment(input, shipmentUid, index))
  if (!input.profile.reads) return unread()
  try {
    const found = await readListed(api, input, shipmentUids)
    return assignRoles(input, firstRoleFirst(input, found)) ?? unread()
  } catch (error) {
    if (isPermanent(error)) return unread()
    throw afterCreate(error)
  }
}

/**
 * Reads the shipments until the service lists all of them: one that reads from a replica may list them seconds after it has
 * created them. Until then their links are unknown, and a flow that is cancelled would leave them over.
 */
async function readListed(api: Api, input: BookStepInput, uids: string[]): Promise<ShipmentItem[]> {
  for (const pause of listingPauses) {
    const found = await readBooked(api, input, uids)
    if (uids.every(uid => found.some(({ shipmentUid }) => shipmentUid === uid))) return found
    await sleep(pause)
  }
  return readBooked(api, input, uids)
}

/** Reads several shipments by their case number in one request, if the service can, and each that is missing there by its uid. */
async function readBooked(api: Api, { caseNo, profile }: BookStepInput, uids: string[]): Promise<ShipmentItem[]> {
  const search = { referenceCaseNo: caseNo, pageSize: safePageSize }
  const ofCase = profile.readsByCase && uids.length > 1 ? (await api.call('GetShipments', search)).items : []
  const items = await Promise.all(
    uids.map(uid => ofCase.find(({ shipmentUid }) => shipmentUid === uid) ?? readShipment(api, uid)),
  )
  return items.filter(item => item !== undefined)
}

/** A shipment that cannot be read, in its initial state. Its role follows from the order of the response. */
function unreadShipment({ roles, request }: BookStepInput, shipmentUid: string, index: number): BookedShipment {
  const { name, initialState } = roles[index] ?? { name: 'unknown', initialState: 'Unknown' }
  const pupUid = typeof request.PupUid === 'string' ? request.PupUid : null
  return { role: name, shipmentUid, stateCode: initialState, stateStart: '', pupUid, lockerName: null }
}
