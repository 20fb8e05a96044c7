import { randomUUID } from 'node:crypto'
import type { ServiceWorld } from '../world/serviceWorld.ts'
import type { Site } from './site.ts'

/** Inserts objects of a shipment into the store, without the limit of the operation. */
export async function insertObjects(
  { world, uids }: { readonly world: Pick<ServiceWorld, 'service'>; readonly uids: Site['uids'] },
  letter: string,
  count: number,
  description: string | null = null,
): Promise<void> {
  const row = { reference_no: null, description, weight: null, count: null, width: null, height: null, length: null }
  const shipment_uid = uids.get(letter) ?? letter
  const rows = Array.from({ length: count }, () => ({ shipment_object_uid: randomUUID(), shipment_uid, ...row }))
  await world.service.store.insertInto('shipment_objects').values(rows).execute()
}
