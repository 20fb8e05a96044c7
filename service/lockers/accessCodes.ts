import { randomInt } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import { activeStates } from '#contract/terms'
import type { Call } from '../call.ts'
import type { ShipmentRow, Tables } from '../store/tables.ts'

const digits = 6
/** A pick up point has a few thousand active codes out of a million, so nearly every draw is free. */
const maxDraws = 100

/** Allocates six-digit codes that are unique at the pick up point until they are released. */
export async function allocateAccessCodes(tx: Transaction<Tables>, pupUid: string, count: number): Promise<string[]> {
  const allocated: string[] = []
  for (let draw = 0; draw < maxDraws && allocated.length < count; draw++) {
    const drawn = Array.from({ length: count - allocated.length }, () => ({ pup_uid: pupUid, code: newCode() }))
    const free = await tx
      .insertInto('access_codes')
      .values(drawn)
      .onConflict(conflict => conflict.doNothing())
      .returning('code')
      .execute()
    allocated.push(...free.map(({ code }) => code))
  }
  if (allocated.length < count) throw new Error(`pick up point ${pupUid} has no free access code`)
  return allocated
}

async function allocateAccessCode(tx: Transaction<Tables>, pupUid: string): Promise<string> {
  const [code = ''] = await allocateAccessCodes(tx, pupUid, 1)
  return code
}

function newCode(): string {
  return String(randomInt(10 ** digits)).padStart(digits, '0')
}

/** Replaces the pick up code. A waiting swap is dropped off in the same door opening, so its delivery code changes too. */
export async function renewPickUpCode(
  { tx, now }: Pick<Call, 'tx' | 'now'>,
  shipment: Selectable<ShipmentRow>,
): Promise<void> {
  const { shipment_uid, pup_uid, locker_uid, pick_up_code } = shipment
  const code = await allocateAccessCode(tx, pup_uid)
  await tx
    .updateTable('shipments')
    .set({ pick_up_code: code, updated_at: Math.max(now, shipment.updated_at) })
    .where('shipment_uid', '=', shipment_uid)
    .execute()
  const swap = await tx
    .selectFrom('shipments')
    .select(['shipment_uid', 'updated_at'])
    .where('swaps_shipment_uid', '=', shipment_uid)
    .where('state_code', 'in', activeStates)
    .executeTakeFirst()
  if (swap !== undefined) {
    await tx
      .updateTable('shipments')
      .set({ delivery_code: code, updated_at: Math.max(now, swap.updated_at) })
      .where('shipment_uid', '=', swap.shipment_uid)
      .execute()
  }
  await releaseAccessCodes(tx, { pup_uid, locker_uid, pick_up_code, delivery_code: null })
}

/** Replaces the delivery code. A waiting swap shares its code with the swapped shipment, so both change. */
export async function renewDeliveryCode(
  context: Pick<Call, 'tx' | 'now'>,
  shipment: Selectable<ShipmentRow>,
): Promise<void> {
  const { tx, now } = context
  const { shipment_uid, pup_uid, locker_uid, delivery_code } = shipment
  const swapped = await tx
    .selectFrom('shipments')
    .selectAll()
    .where('shipment_uid', '=', shipment.swaps_shipment_uid)
    .where('state_code', 'in', activeStates)
    .executeTakeFirst()
  if (swapped !== undefined) return renewPickUpCode(context, swapped)
  await tx
    .updateTable('shipments')
    .set({ delivery_code: await allocateAccessCode(tx, pup_uid), updated_at: Math.max(now, shipment.updated_at) })
    .where('shipment_uid', '=', shipment_uid)
    .execute()
  await releaseAccessCodes(tx, { pup_uid, locker_uid, pick_up_code: null, delivery_code })
}

interface ShipmentCodes {
  readonly pup_uid: string
  readonly locker_uid: string | null
  readonly pick_up_code: string | null
  readonly delivery_code: string | null
}

/** Releases a shipment's codes, except those that another active shipment at the same locker uses. */
export async function releaseAccessCodes(tx: Transaction<Tables>, shipment: ShipmentCodes): Promise<void> {
  const codes = [shipment.pick_up_code, shipment.delivery_code].filter(code => code !== null)
  if (codes.length === 0) return
  await tx
    .deleteFrom('access_codes')
    .where('pup_uid', '=', shipment.pup_uid)
    .where('code', 'in', codes)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('shipments')
            .select('shipment_uid')
            .where('locker_uid', '=', shipment.locker_uid)
            .where('state_code', 'in', activeStates)
            .where(shipments =>
              shipments.or([
                shipments('pick_up_code', '=', shipments.ref('access_codes.code')),
                shipments('delivery_code', '=', shipments.ref('access_codes.code')),
              ]),
            ),
        ),
      ),
    )
    .execute()
}
