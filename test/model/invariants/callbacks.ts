import { expect, vi } from 'vitest'
import type { Service } from '#service'
import type { Receiver } from '../../support/servers/callbackReceiver.ts'
import type { Announcement } from '../model/model.ts'
import type { Names } from '../run/names.ts'

/** Waits until every callback is delivered: the outbox deletes a message once the receiver accepted it. */
export async function delivered({ store }: Pick<Service, 'store'>): Promise<void> {
  await vi.waitFor(
    async () => expect(await store.selectFrom('outbox').select('seq').execute(), 'pending callbacks').toEqual([]),
    { timeout: 10_000, interval: 3 },
  )
}

/** Each change of state has exactly one callback, to its tenant, in the order of each shipment. */
export function expectCallbacks(
  announced: readonly Announcement[],
  receivers: ReadonlyMap<string, Receiver>,
  names: Names,
): void {
  const came = [...receivers].flatMap(([tenant, { received }]) =>
    received.map(({ message }) => ({ tenant, ...names.named(message) })),
  )
  expect(byShipment(came), 'callbacks').toEqual(byShipment(announced))
}

/** Groups messages by shipment and keeps their order. */
function byShipment(messages: readonly { readonly shipmentUid: string }[]): Record<string, readonly object[]> {
  return Object.groupBy(messages, ({ shipmentUid }) => shipmentUid) as Record<string, readonly object[]>
}
