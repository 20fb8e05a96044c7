import { randomUUID } from 'node:crypto'
import type { RequestOf } from '#contract'
import { type Api, ApiFault, ApiRefusal } from '#contract/client'

/** The result of one create: the shipment, or the error of a service that answers. */
export type Attempt = { readonly shipmentUid: string } | { readonly error: ApiRefusal | ApiFault }

/** Bookings that are cancelled at the end. */
export interface Trial {
  readonly api: Api
  /** The case number of all bookings of the trial. No other booking has it. */
  readonly caseNo: string
  readonly pupUid: string
  /**
   * Books the smallest locker, or repeats a create.
   * @throws ApiFault if the service is unavailable
   */
  book(idempotencyKey: string): Promise<Attempt>
  /** Cancels all bookings since the last call. Returns the shipments that could not be cancelled, with the reason. */
  cancel(): Promise<readonly LeftShipment[]>
}

export interface LeftShipment {
  /** Null for the booking of a create without a response. */
  readonly shipmentUid: string | null
  readonly reason: string
}

/** HTTP statuses of a service that does not do what a request asks for. Others mean that it is unavailable, or denies access. */
const answers: ReadonlySet<number> = new Set([400, 404, 405, 409, 415, 422])

/** @param pupUid the pick up point of the bookings */
export function createTrial(api: Api, pupUid: string): Trial {
  const caseNo = `capabilities-${randomUUID()}`
  const request: RequestOf<'CreateLocalShipmentAsStock'> = {
    PupUid: pupUid,
    AllowLargerLockers: true,
    AllowOverflowLockers: true,
    Dimension: { width: 1, height: 1, length: 1 },
    Details: { ReferenceCaseNo: caseNo },
  }
  const booked = new Set<string>()
  const ended = new Set<string>()
  /** Codes of creates without a response, by their key. */
  const lost = new Map<string, string>()

  return {
    api,
    caseNo,
    pupUid,
    async book(idempotencyKey) {
      try {
        // A service that ignores keys would book twice.
        const { shipmentUids } = await api.call('CreateLocalShipmentAsStock', request, {
          idempotencyKey,
          repeatCreate: false,
        })
        for (const uid of shipmentUids) booked.add(uid)
        lost.delete(idempotencyKey)
        return { shipmentUid: shipmentUids[0] ?? '' }
      } catch (error) {
        if (error instanceof ApiFault && error.outcomeUnknown) lost.set(idempotencyKey, error.code)
        return { error: requireAnswer(error) }
      }
    },
    async cancel() {
      const left: LeftShipment[] = [...lost.values()].map(code => ({
        shipmentUid: null,
        reason: `a create without a response (${code}) may have booked`,
      }))
      lost.clear()
      for (const shipmentUid of [...booked].filter(uid => !ended.has(uid))) {
        ended.add(shipmentUid)
        await api.call('CancelShipment', { shipmentUid }).catch((error: Error) => {
          left.push({ shipmentUid, reason: error.message })
        })
      }
      return left
    },
  }
}

/**
 * The error of a service that answers, which tells about its capabilities.
 * @throws the error of a service that is unavailable or busy, and any other
 */
export function requireAnswer(error: unknown): ApiRefusal | ApiFault {
  if (error instanceof ApiRefusal) return error
  const tells = error instanceof ApiFault && (error.code === 'MalformedResponse' || answers.has(error.status ?? 0))
  if (!tells) throw error
  return error
}
