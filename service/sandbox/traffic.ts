import { type RecentCallback, type RecentRequest, toUtcWithoutOffset } from '#contract'
import { createRecent, type NewEntry, type Recent } from './recent.ts'

/** Bytes of a body that are searched for the case. */
const searchedBytes = 16_384

/** The requests and deliveries of the last minutes, for integrators in staging. */
export interface Traffic {
  readonly requests: Recent<RecentRequest>
  readonly callbacks: Recent<RecentCallback>
  noteRequest(request: AnsweredRequest): void
  noteDelivery(delivery: Delivery): void
}

export interface AnsweredRequest extends Omit<NewEntry<RecentRequest>, 'at' | 'caseNo' | 'shipmentUid'> {
  readonly tenantId: string
  /** As it arrived. */
  readonly body: unknown
}

export interface Delivery extends Omit<NewEntry<RecentCallback>, 'at' | 'caseNo'> {
  readonly tenantId: string
}

/**
 * @param capacity entries of one tenant and kind
 * @param clock milliseconds since 1970
 */
export function createTraffic(capacity: number, clock: () => number): Traffic {
  const requests = createRecent<RecentRequest>(capacity)
  const callbacks = createRecent<RecentCallback>(capacity)
  const now = () => `${toUtcWithoutOffset(clock())}Z`
  return {
    requests,
    callbacks,
    noteRequest({ tenantId, body, ...request }) {
      const text = Buffer.isBuffer(body) ? body.toString('utf8', 0, searchedBytes) : ''
      const caseNo = findText(text, caseNumber)
      requests.note(tenantId, { ...request, at: now(), caseNo, shipmentUid: findText(text, shipment) })
    },
    noteDelivery({ tenantId, ...delivery }) {
      callbacks.note(tenantId, { ...delivery, at: now(), caseNo: findText(delivery.body, caseNumber) })
    },
  }
}

/** A field in JSON. The key may have any casing, as in requests. */
const [caseNumber, shipment] = ['referenceCaseNo', '(?:prior)?shipmentUid'].map(
  field => new RegExp(`"${field}"\\s*:\\s*("(?:[^"\\\\]|\\\\.)*")`, 'i'),
) as [RegExp, RegExp]

/** The first text of a field in JSON; null without one. */
function findText(json: string, field: RegExp): string | null {
  const [, text] = field.exec(json) ?? []
  try {
    return text === undefined ? null : JSON.parse(text)
  } catch {
    return null
  }
}
