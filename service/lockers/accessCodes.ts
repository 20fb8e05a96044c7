import { randomInt } from 'node:crypto'
import type { Selectable, Transaction } from 'kysely'
import { activeStates } from '#contract/terms'
import type { Call } from '../operations/call.ts'
import type { ShipmentRow, Tables } from '../store/tables.ts'

const digits = 6
/** A pick up point has at most a few thousand live codes out of a million, so a draw is free nearly always. */
const draws = 100

/** Codes of six digits that open nothing else at the pick up point now; they stay taken until they are released. */
export async function takeCodes(tx: Transaction<Tables>, pupUid: string, count: number): Promise<string[]> {
  const taken: string[] = []
  for (let draw = 0; draw < draws && taken.length < count; draw++) {
    const drawn = Array.from({ length: count - taken.length }, () => ({ pup_uid: pupUid, code: newCode() }))
    const free = await tx
      .insertInto('access_codes')
      .values(drawn)
      .onConflict(conflict => conflict.doNothing())
      .returning('code')
      .execute()
    taken.push(...free.map(({ code }) => code))
  }
  if (taken.length < count) throw new Error(`no free access code at pick up point ${pupUid}`)
  return taken
}

async function takeCode(tx: Transaction<Tables>, pupUid: string): Promise<string> {
  const [code = ''] = await takeCodes(tx, pupUid, 1)
  return code
}

function newCode(): string {
  return String(randomInt(10 ** digits)).padStart(digits, '0')
}

/**
 * Gives a shipment another pick up code. A swap that waits on it is dropped off in the same opening, so its delivery
 * code changes with it.
 */
export async function renewPickUpCode(
  { tx, now }: Pick<Call, 'tx' | 'now'>,
  shipment: Selectable<ShipmentRow>,
): Promise<void> {
  const { shipment_uid, pup_uid, locker_uid, pick_up_code } = shipment
  const code = await takeCode(tx, pup_uid)
  await tx
    .updateTable('shipments')
    .set({ pick_up_code: code, activity: Math.max(now, shipment.activity) })
    .where('shipment_uid', '=', shipment_uid)
    .execute()
  const swap = await tx
    .selectFrom('shipments')
    .select(['shipment_uid', 'activity'])
    .where('swaps_shipment_uid', '=', shipment_uid)
    .where('state_code', 'in', activeStates)
    .executeTakeFirst()
  if (swap !== undefined) {
    await tx
      .updateTable('shipments')
      .set({ delivery_code: code, activity: Math.max(now, swap.activity) })
      .where('shipment_uid', '=', swap.shipment_uid)
      .execute()
  }
  await releaseCodes(tx, { pup_uid, locker_uid, pick_up_code, delivery_code: null })
}

/**
 * Gives a shipment another delivery code. While it waits to swap another one the two have one code, which then changes
 * on both.
 */
export async function renewDeliveryCode(
  moment: Pick<Call, 'tx' | 'now'>,
  shipment: Selectable<ShipmentRow>,
): Promise<void> {
  const { tx, now } = moment
  const { shipment_uid, pup_uid, locker_uid, delivery_code } = shipment
  const swapped = await tx
    .selectFrom('shipments')
    .selectAll()
    .where('shipment_uid', '=', shipment.swaps_shipment_uid)
    .where('state_code', 'in', activeStates)
    .executeTakeFirst()
  if (swapped !== undefined) return renewPickUpCode(moment, swapped)
  await tx
    .updateTable('shipments')
    .set({ delivery_code: await takeCode(tx, pup_uid), activity: Math.max(now, shipment.activity) })
    .where('shipment_uid', '=', shipment_uid)
    .execute()
  await releaseCodes(tx, { pup_uid, locker_uid, pick_up_code: null, delivery_code })
}

interface Holder {
  readonly pup_uid: string
  readonly locker_uid: string | null
  readonly pick_up_code: string | null
  readonly delivery_code: string | null
}

/** Frees the codes of a shipment that has ended, but for one that an active shipment on the same locker shares. */
export async function releaseCodes(tx: Transaction<Tables>, holder: Holder): Promise<void> {
  const codes = [holder.pick_up_code, holder.delivery_code].filter(code => code !== null)
  if (codes.length === 0) return
  await tx
    .deleteFrom('access_codes')
    .where('pup_uid', '=', holder.pup_uid)
    .where('code', 'in', codes)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('shipments')
            .select('shipment_uid')
            .where('locker_uid', '=', holder.locker_uid)
            .where('state_code', 'in', activeStates)
            .where(either =>
              either.or([
                either('pick_up_code', '=', either.ref('access_codes.code')),
                either('delivery_code', '=', either.ref('access_codes.code')),
              ]),
            ),
        ),
      ),
    )
    .execute()
}
