import { expect, vi } from 'vitest'
import type { Service } from '#service'
import type { Receiver } from '../../service/receiver.ts'
import type { Announcement } from '../model/model.ts'
import type { Names } from '../run/names.ts'

/** Waits until every callback is delivered: a message leaves the outbox when the receiver has it. */
export async function delivered({ store }: Pick<Service, 'store'>): Promise<void> {
  await vi.waitFor(
    async () => expect(await store.selectFrom('outbox').select('seq').execute(), 'callbacks to come').toEqual([]),
    { timeout: 10_000, interval: 3 },
  )
}

/** Each change of a state was called back exactly once, to its tenant, in the order of each shipment. */
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

/** Lists by shipment, each in the order in which they are given. */
function byShipment(messages: readonly { readonly shipmentUid: string }[]): Record<string, readonly object[]> {
  return Object.groupBy(messages, ({ shipmentUid }) => shipmentUid) as Record<string, readonly object[]>
}
