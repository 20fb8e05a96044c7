import type { SpanOptions } from '#platform/telemetry'
import type { OutboxMessage, Tenant } from './claims.ts'
import type { Delivery } from './interface.ts'
import type { DeliveryOutcome } from './sender.ts'

interface SentMessage {
  readonly tenant: Tenant
  readonly message: OutboxMessage
}

/** The report of a delivery for `onDelivery`. */
export function toDelivery({ tenant, message }: SentMessage, outcome: DeliveryOutcome, durationMs: number): Delivery {
  const { message_id: messageId, shipment_uid: shipmentUid, body, attempts: failures } = message
  return {
    tenantId: tenant.tenant_id,
    messageId,
    shipmentUid,
    url: tenant.callback_url ?? '',
    body,
    failures,
    delivered: outcome.delivered,
    answer: outcome.delivered ? String(outcome.status) : outcome.reason,
    durationMs: Math.round(durationMs),
  }
}

/** The span of a delivery, in the trace of the change. */
export function toSpan({ tenant_id, message_id, shipment_uid, attempts, traceparent }: OutboxMessage): SpanOptions {
  return {
    name: 'deliver callback',
    kind: 'producer',
    parent: traceparent ?? 'none',
    attributes: {
      'lockerflow.tenant_id': tenant_id,
      'lockerflow.message_id': message_id,
      'lockerflow.shipment_uid': shipment_uid,
      'lockerflow.failures': attempts,
    },
  }
}
