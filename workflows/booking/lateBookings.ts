import { sleep } from '@temporalio/workflow'
import type { BookedShipment, Booking, BookShipmentsInput } from '#activities/interface'
import { readTime, type ServiceProfile } from '#contract/terms'
import { type LeftOver, toDuplicateReason } from '#flows'
import * as activities from '../activities.ts'
import { leaveAll, toLeftOvers } from '../cleanUp.ts'
import { type PlannedFlow, recordRejection } from '../context.ts'
import { isActivityError, toErrorCode } from '../failures.ts'
import { toBookingInput } from './plan.ts'

/** The API client waits five minutes for a create, so that a late one commits within this time, in milliseconds. */
const maxDelay = 6 * 60_000

/** Seconds between the searches for a late create, which together cover the five minutes. */
const searchPauses = [0, 5, 10, 20, 40, 75, 150]

/**
 * Finds the bookings of attempts without a response. With an idempotency key the same create is sent again: its response
 * is the truth even while the first one is under way. Without keys the service is searched until no create can be late.
 */
export async function findUnacknowledgedBookings(input: BookShipmentsInput): Promise<Booking[]> {
  if (input.profile.idempotent) return activities.repeatBooking(input)
  if (!input.profile.reads) return []
  for (const pause of searchPauses) {
    if (pause > 0) await sleep(pause * 1_000, { summary: 'pause before the next search for a late booking' })
    const bookings = await activities.findUnacknowledged(input)
    if (bookings.length > 0) return bookings
  }
  return []
}

/**
 * The moment until which an attempt without a response can book a second time. Null with an idempotency key, which makes
 * it the same booking, for a service that cannot be read, and for an adopted booking.
 */
export function lastDuplicate({ idempotent, reads }: ServiceProfile, adopts: boolean): number | null {
  return idempotent || !reads || adopts ? null : Date.now() + maxDelay
}

/** Finds and cancels duplicate bookings while there can be any. Never fails. */
export async function cancelLateBookings(flow: PlannedFlow): Promise<void> {
  const { progress } = flow
  const until = progress.duplicatesUntil
  if (!until) return
  if (Date.now() >= until) progress.duplicatesUntil = null
  const knownUids = new Set(
    [...progress.shipments, ...(progress.duplicatesLeft ?? [])].map(({ shipmentUid }) => shipmentUid),
  )
  try {
    const bookings = await activities.findDuplicates(toBookingInput(flow))
    // A younger shipment was booked by another program that uses the same case number.
    const isDuplicate = (shipment: BookedShipment) =>
      !knownUids.has(shipment.shipmentUid) && (readTime(shipment.stateStart) ?? Number.POSITIVE_INFINITY) <= until
    const duplicates = bookings.flat().filter(isDuplicate)
    if (duplicates.length > 0) await cancelDuplicates(flow, duplicates)
  } catch (error) {
    if (!isActivityError(error)) throw error
    recordRejection(flow, `the search for duplicate bookings failed: ${toErrorCode(error)}`)
  }
}

/** Cancels duplicate bookings. Those that cannot be cancelled are left over, with the reason. Never fails. */
export async function cancelDuplicates({ progress }: PlannedFlow, duplicates: Booking): Promise<void> {
  const leftOver = await cancelAll(progress.plan.profile, duplicates)
  progress.duplicatesLeft = [
    ...(progress.duplicatesLeft ?? []),
    ...leftOver.map(({ shipmentUid, reason }) => ({ shipmentUid, reason: toDuplicateReason(reason) })),
  ]
}

async function cancelAll(profile: ServiceProfile, duplicates: Booking): Promise<LeftOver[]> {
  const shipments = duplicates.map(({ shipmentUid, stateCode }) => ({ shipmentUid, stateCode }))
  try {
    return toLeftOvers(await activities.cancelDuplicates({ shipments, profile }))
  } catch (error) {
    if (!isActivityError(error)) throw error
    return leaveAll(shipments, error)
  }
}
