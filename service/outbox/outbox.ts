import { defaultUidSignatureScheme } from '#contract'
import { leaseDuration, type OutboxMessage } from './claims.ts'
import { createDrain } from './drain.ts'
import type { DeliverySlot, Outbox, OutboxOptions } from './interface.ts'
import { createLanes } from './lanes.ts'
import { type DeliverySettings, defaultDelivery } from './retryPolicy.ts'
import { createSender } from './sender.ts'

/** Delivers enqueued callbacks until it is stopped. Several processes can share one store. */
export function createOutbox({ secrets, allowPrivateNetworks, ...options }: OutboxOptions): Outbox {
  const { uidSignatureScheme = defaultUidSignatureScheme, clock = Date.now } = options
  const delivery: DeliverySettings = { ...defaultDelivery, ...options.delivery }
  const sender = createSender({ secrets, allowPrivateNetworks, uidSignatureScheme, timeout: delivery.timeout, clock })
  const lanes = createLanes(delivery)
  const stopping = new AbortController()
  const drain = createDrain({ ...options, clock, delivery, sender, lanes, stopping: stopping.signal })

  function reserve(tenantId: string): DeliverySlot | undefined {
    if (stopping.signal.aborted || drain.isWoken(tenantId)) return undefined
    const lane = lanes.open(tenantId)
    const release = lanes.reserve(lane, performance.now())
    if (release === undefined) return undefined
    const leasedAt = performance.now()
    return {
      lease: leaseDuration(delivery),
      release() {
        release()
        // Another message may wait for this slot.
        if (lane.mayHaveNewMessages) drain.start()
      },
      deliver(tenant, message) {
        lanes.startOrPostpone(lane, () => {
          release()
          if (stopping.signal.aborted) return
          drain.send({ lane, tenant, messages: [{ ...beforeDelivery, ...message }] }, leasedAt)
        })
      },
    }
  }

  async function stop(): Promise<void> {
    stopping.abort()
    await drain.end()
  }

  drain.start()
  return { wake: drain.wake, reserve, probe: sender.probe, stop }
}

/** The columns of a message before its first delivery. */
const beforeDelivery = {
  attempts: 0,
  next_attempt_at: 0,
  waits_for: null,
  attempted_version: 0,
  resent_at: null,
  dead_since: null,
} satisfies Partial<OutboxMessage>
