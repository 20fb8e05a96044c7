import type { AwaitBookingInput } from '#activities/interface'
import type { BookingResult } from '#flows'
import { awaitBooking, cancelCase } from './activities.ts'
import type { Runtime } from './runtime.ts'

/**
 * Waits for the booking of a flow, for a Nexus operation that its handler cannot wait for. A cancellation cancels the
 * flow, and ends when it is cleaned up.
 */
export async function runBooking(runtime: Runtime, input: AwaitBookingInput): Promise<BookingResult> {
  try {
    return await awaitBooking(runtime, input)
  } catch (error) {
    if (runtime.isCancelRequested()) await runtime.protect(() => cancelCase(runtime, input))
    throw error
  }
}
