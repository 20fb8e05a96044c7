import { randomUUID } from 'node:crypto'
import { maxChain } from '../../../service/shipments/links.ts'
import type { Site } from './site.ts'

/** Inserts a chain into the locker of a shipment, until the locker has as many active shipments as it may have. */
export async function fillChain({ world: { service }, uids }: Site, letter: string): Promise<void> {
  const { store } = service
  const { seq, ...row } = await store
    .selectFrom('shipments')
    .selectAll()
    .where('shipment_uid', '=', uids.get(letter) ?? letter)
    .executeTakeFirstOrThrow()
  let prior: string | null = null
  for (let count = 1; count < maxChain; count++) {
    const shipment_uid = randomUUID()
    const linked = { shipment_uid, swaps_shipment_uid: prior, pick_up_code: null, delivery_code: null }
    await store
      .insertInto('shipments')
      .values({ ...row, ...linked })
      .execute()
    prior = shipment_uid
  }
}
