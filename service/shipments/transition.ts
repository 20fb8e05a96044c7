import { applyToLinked, type MachineSnapshot, type ShipmentEvent } from '#contract/machines'
import { activeStates, states } from '#contract/terms'
import type { Call } from '../call.ts'
import { releaseAccessCodes } from '../lockers/index.ts'
import { OperationError } from '../operationError.ts'
import { enqueueCallback } from '../outbox/index.ts'
import { defer, isOneOf, type KeptQuery, keepQuery } from '../store/statements.ts'
import type { ShipmentColumns } from '../store/tables.ts'
import { findLinkedShipments, toLinkedShipment } from './links.ts'

type TransactionContext = Pick<Call, 'tx' | 'now' | 'secrets' | 'tenant'>

/** Columns that an event changes together with the state. */
type ExtraColumns = Partial<Pick<ShipmentColumns, 'from_user_uid' | 'to_user_uid' | 'reference_case_no'>>

interface ShipmentChange {
  readonly before: ShipmentColumns
  readonly next: Pick<MachineSnapshot, 'state'>
}

/** Conditions besides the state, for the error message. */
const preconditions: { readonly [Type in ShipmentEvent['type']]?: string } = {
  issueFromStock: 'it must be active stock without a receiver',
  setReceiver: 'it must have no receiver yet, and its item must not be ready for pick up',
  removeReceiver: 'it must have a receiver, and its item must not be in the locker yet',
}

/**
 * The only place where the state of a shipment changes. Applies an event to a shipment and to those linked with it:
 * writes the new states and enqueues their callbacks in order, then releases locker and codes of ended shipments. All
 * of it happens in the given transaction.
 * @param shipment locked by `lockShipment`
 * @throws OperationError InvalidShipmentState
 */
export async function transition(
  context: TransactionContext,
  shipment: ShipmentColumns,
  event: ShipmentEvent,
  extraColumns: ExtraColumns = {},
): Promise<void> {
  const linked = await findLinkedShipments(context.tx, shipment)
  const changes = transitions(linked, shipment, event)
  const receiver = extraColumns.to_user_uid ?? null
  const followers = receiver === null ? [] : linked.filter(row => hasSenderDerivedFrom(row, shipment))
  const unchanged = followers.filter(({ shipment_uid: uid }) =>
    changes.every(({ before }) => before.shipment_uid !== uid),
  )
  for (const change of [...changes, ...unchanged.map(before => ({ before, next: { state: before.state_code } }))]) {
    const sender = followers.includes(change.before) ? { from_user_uid: receiver } : {}
    await writeChange(context, change, change.before.shipment_uid === shipment.shipment_uid ? extraColumns : sender)
  }
  // After all writes, because linked shipments share their locker and may share a code.
  await releaseLocker(
    context,
    changes.filter(({ next }) => states[next.state].final).map(({ before }) => before),
  )
}

/** True until the drop off for a follower whose sender is the receiver of the given shipment. */
function hasSenderDerivedFrom(row: ShipmentColumns, { shipment_uid: uid }: ShipmentColumns): boolean {
  const isPrior = row.swaps_shipment_uid === uid || row.prior_shipment_uid === uid
  return isPrior && row.sender_derived === 1 && !states[row.state_code].holdsItem
}

async function writeChange(
  context: TransactionContext,
  { before, next }: ShipmentChange,
  extraColumns: ExtraColumns,
): Promise<void> {
  const moved = next.state !== before.state_code
  const values = {
    ...extraColumns,
    state_code: next.state,
    // If the clock was set back, the newer state must still not appear older.
    state_since: moved ? Math.max(context.now, before.state_since) : before.state_since,
    updated_at: Math.max(context.now, before.updated_at),
    ...(states[next.state].final && { pick_up_code: null, delivery_code: null }),
  }
  await defer(context.tx, writeColumns(values)(context.tx, { ...values, shipment_uid: before.shipment_uid }))
  if (moved) await enqueueCallback(context, { ...before, ...values })
}

type Written = Pick<ShipmentColumns, 'shipment_uid'> & Partial<ShipmentColumns>

/** Queries that update a shipment, by the columns that they write. */
const writes = new Map<string, KeptQuery<Written, unknown>>()

function writeColumns(values: Partial<ShipmentColumns>): KeptQuery<Written, unknown> {
  const columns = Object.keys(values) as (keyof ShipmentColumns)[]
  const key = columns.join()
  const write =
    writes.get(key) ??
    keepQuery((db, row: Written) =>
      db
        .updateTable('shipments')
        .set(Object.fromEntries(columns.map(column => [column, row[column]])))
        .where('shipment_uid', '=', row.shipment_uid),
    )
  writes.set(key, write)
  return write
}

/** @param ended linked shipments, which share their locker */
async function releaseLocker(context: TransactionContext, ended: readonly ShipmentColumns[]): Promise<void> {
  const { tx } = context
  const [first] = ended
  if (first === undefined) return
  await releaseAccessCodes(context, ended)
  if (first.locker_uid !== null) await tx.executeQuery(freeLocker(tx, { lockerUid: first.locker_uid }))
}

const freeLocker = keepQuery((db, { lockerUid }: { readonly lockerUid: string }) =>
  db
    .updateTable('lockers')
    .set({ booked: 0 })
    .where('locker_uid', '=', lockerUid)
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('shipments')
            .select('shipment_uid')
            .where('shipments.locker_uid', '=', lockerUid)
            .where(inner => isOneOf(inner, 'state_code', activeStates)),
        ),
      ),
    ),
)

/**
 * Returns the changes that an event causes, to the shipment and to those linked with it, in order.
 * @throws OperationError InvalidShipmentState
 */
function transitions(
  linked: readonly ShipmentColumns[],
  shipment: ShipmentColumns,
  event: ShipmentEvent,
): readonly ShipmentChange[] {
  const result = applyToLinked(linked.map(toLinkedShipment), shipment.shipment_uid, event)
  if (!result.accepted) {
    const condition = preconditions[event.type]
    const suffix = condition === undefined ? '' : `: ${condition}`
    throw new OperationError(
      'InvalidShipmentState',
      `A shipment in ${shipment.state_code} does not allow this${suffix}.`,
    )
  }
  const rows = new Map(linked.map(row => [row.shipment_uid, row]))
  return result.changes.flatMap(({ uid, next }) => {
    const before = rows.get(uid)
    return before === undefined ? [] : [{ before, next }]
  })
}
