import type { Selectable } from 'kysely'
import { activeStates, states } from '#contract/terms'
import type { ShipmentEvent } from '#machines'
import type { Call } from '../operations/call.ts'
import { queueCallback } from '../outbox/queue.ts'
import type { ShipmentRow } from '../store/tables.ts'
import { releaseCodes } from './accessCodes.ts'
import { type Change, consequences } from './consequences.ts'

type Moment = Pick<Call, 'tx' | 'now' | 'tenant'>

/** What an event brings for the shipment that it happens to, beside the state. */
export type Alongside = Partial<Pick<Selectable<ShipmentRow>, 'to_user_uid' | 'reference_case_no'>>

/**
 * The one place where the state of a shipment changes: what the event leads to, for it and for those that are linked
 * with it, is written and announced in the order in which it happens, and locker and codes are given back when a
 * shipment has ended, all in the given transaction.
 * @param shipment as `shipmentToChange` found it, so that nobody else changes it meanwhile
 * @throws Refusal InvalidShipmentState
 */
export async function advance(
  moment: Moment,
  shipment: Selectable<ShipmentRow>,
  event: ShipmentEvent,
  alongside: Alongside = {},
): Promise<void> {
  const changes = await consequences(moment, shipment, event)
  for (const change of changes) {
    await write(moment, change, change.before.shipment_uid === shipment.shipment_uid ? alongside : {})
  }
  // Only when all are written: linked shipments share their locker and may share a code.
  for (const { before, next } of changes) if (states[next.state].final) await release(moment, before)
}

async function write(moment: Moment, { before, next }: Change, alongside: Alongside): Promise<void> {
  const moved = next.state !== before.state_code
  const values = {
    ...alongside,
    state_code: next.state,
    // A clock that was set back must not make the newer state look older.
    state_start: moved ? Math.max(moment.now, before.state_start) : before.state_start,
    activity: Math.max(moment.now, before.activity),
    ...(states[next.state].final && { pick_up_code: null, delivery_code: null }),
  }
  await moment.tx.updateTable('shipments').set(values).where('shipment_uid', '=', before.shipment_uid).execute()
  if (moved) await queueCallback(moment, { ...before, ...values })
}

async function release({ tx }: Moment, ended: Selectable<ShipmentRow>): Promise<void> {
  await releaseCodes(tx, ended)
  if (ended.locker_uid === null) return
  await tx
    .updateTable('lockers')
    .set({ booked: 0 })
    .where('locker_uid', '=', ended.locker_uid)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('shipments')
            .select('shipment_uid')
            .where('shipments.locker_uid', '=', ended.locker_uid)
            .where('state_code', 'in', activeStates),
        ),
      ),
    )
    .execute()
}
