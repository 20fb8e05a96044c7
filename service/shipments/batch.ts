import type { Call } from '../call.ts'
import { drawAccessCodes, toSides } from '../lockers/index.ts'
import { type DeliverySlot, findTenant, type NewMessage, type Outbox, type Tenant, toMessage } from '../outbox/index.ts'
import { createShipments } from '../store/createShipments.ts'
import { createGroupCommit } from '../store/groupCommit.ts'
import { asTransaction, isRefused, type Store } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'
import { keepQuery } from '../store/statements.ts'
import type { IdempotencyRow } from '../store/tables.ts'
import { isUser, type ShipmentRequest, uidOf } from './create.ts'
import { toShipment } from './insert.ts'

// Bookings of the usual kind share a statement and its commit on PostgreSQL. The function of store/createShipments.ts
// books them, and `createShipment` books all others.

/** Statements at the same time, and drafts of one. PostgreSQL keeps up to 64 subtransactions of a transaction in memory. */
const lanes = 2
const maxDrafts = 32

/** The row of an Idempotency-Key, and the name of its advisory lock. */
export interface KeyRow {
  readonly lock: string
  readonly row: IdempotencyRow
}

export interface BatchedBooking extends Pick<Call, 'tenantId' | 'now'> {
  readonly shipment: ShipmentRequest
  /** Called once, with the uid of the new shipment. Returns the row of its key; undefined without a key. */
  readonly toKey: (shipmentUid: string) => KeyRow | undefined
}

/**
 * Books a shipment of the usual kind. For any other it writes nothing and returns undefined.
 * @returns whether its callback waits to be claimed
 */
export type BookInBatch = (booking: BatchedBooking) => Promise<{ readonly hasCallback: boolean } | undefined>

interface Draft {
  readonly json: string
  readonly tenant: Tenant
  /** Undefined without a callback. */
  readonly message: NewMessage | undefined
  /** Called when the statement with the draft is sent. */
  readonly sent: () => void
}

interface Outcome {
  readonly isBooked: boolean
  /** The callback was inserted with a lease, and is being delivered. */
  readonly isDelivered: boolean
}

const createInBatch = keepQuery(
  (db, { drafts, leases }: { readonly drafts: string; readonly leases: readonly number[] }) =>
    db.selectNoFrom(createShipments(drafts, leases).as('outcomes')),
)

/**
 * Returns undefined for the embedded store, which has no round trips to save.
 * @param reserve a slot for a callback, which then is delivered without a claim
 */
export function createBatches(
  store: Store,
  secrets: Call['secrets'],
  reserve: Outbox['reserve'],
): BookInBatch | undefined {
  if (!hasRowLocks(store)) return undefined
  /** As of the last read. A draft with an outdated one is not booked. */
  const tenants = new Map<string, Tenant>()
  const commit = createGroupCommit<Draft, Outcome>({
    lanes,
    fullAt: maxDrafts,
    commit: next => commitDrafts(store, reserve, next),
  })

  async function readTenant(tenantId: string): Promise<Tenant> {
    const tenant = await findTenant(store, tenantId)
    if (tenant === undefined) throw new Error(`tenant ${tenantId} must be in the store`)
    tenants.set(tenantId, tenant)
    return tenant
  }

  return async booking => {
    if (booking.shipment.request.LockerUid != null) return undefined
    const { tenantId } = booking
    const tenant = tenants.get(tenantId) ?? (await readTenant(tenantId))
    const outcome = await asTransaction(store, async sent => {
      // In the span of the transaction, to which the callback belongs.
      const draft = toDraft(secrets, booking, tenant)
      return unstorable.test(draft.json) ? undefined : commit({ ...draft, sent })
    })
    if (outcome?.isBooked) return { hasCallback: tenant.callback_url !== null && !outcome.isDelivered }
    tenants.delete(tenantId)
    return undefined
  }
}

/** NUL, and surrogates without their pair: PostgreSQL would refuse the whole array. */
const unstorable = /\\u(0000|d[89a-f])/

function toDraft(
  secrets: Call['secrets'],
  { tenantId, now, shipment: planned, toKey }: BatchedBooking,
  tenant: Tenant,
): Omit<Draft, 'sent'> {
  const { request, from, to, stock, collectOnly } = planned
  const { PupUid: pupUid, Dimension: dimension, Details: details, AllowLargerLockers: larger } = request
  const [pickUpCode = '', deliveryCode = ''] = drawAccessCodes(2)
  const shipment = toShipment(
    { tenantId, now, secrets },
    {
      fromUserUid: uidOf(from, tenant),
      toUserUid: to && uidOf(to, tenant),
      stock,
      // The function chooses the locker.
      locker: { pup_uid: pupUid, locker_uid: '' },
      dimension,
      details,
      collectOnly,
    },
    { pickUpCode, deliveryCode },
  )
  const key = toKey(shipment.shipment_uid)
  const users = [from, to].filter(isUser).map(({ userUid }) => userUid)
  const hashes = secrets.hashCodes(pupUid, [pickUpCode, deliveryCode])
  const message = tenant.callback_url === null ? undefined : toMessage(shipment, now)
  const json = JSON.stringify({
    pup_uid: pupUid,
    tenant_id: tenantId,
    shipment,
    dispatcher: tenant.dispatcher_user_uid,
    version: tenant.callback_version,
    accounts: [...new Set(users)],
    larger,
    ...toSides(dimension),
    // Without the codes: a log of PostgreSQL may contain parameters.
    codes: hashes.map(({ code_hash }) => code_hash),
    data_keys: hashes.map(({ data_key_id }) => data_key_id),
    ...(message && { message }),
    ...(key && { client_id: key.row.client_id, key: key.row.key, lock: key.lock, response: key.row }),
  })
  return { json, tenant, message }
}

async function commitDrafts(
  store: Store,
  reserve: Outbox['reserve'],
  next: () => Draft | undefined,
): Promise<readonly PromiseSettledResult<Outcome>[]> {
  const drafts: Draft[] = []
  const slots: (DeliverySlot | undefined)[] = []
  for (let draft = next(); draft !== undefined; draft = drafts.length < maxDrafts ? next() : undefined) {
    draft.sent()
    drafts.push(draft)
    slots.push(draft.message && reserve(draft.tenant.tenant_id))
  }
  let outcomes: readonly string[] | undefined
  try {
    outcomes = await bookDrafts(store, {
      drafts: `[${drafts.map(({ json }) => json).join(',')}]`,
      leases: slots.map(slot => slot?.lease ?? 0),
    })
  } catch (error) {
    for (const slot of slots) slot?.release()
    throw error
  }
  return drafts.map((draft, at) => ({ status: 'fulfilled', value: finish(draft, slots[at], outcomes?.[at]) }))
}

/** Delivers the callback of a draft if it was inserted with a lease. */
function finish({ tenant, message }: Draft, slot: DeliverySlot | undefined, outcome = ''): Outcome {
  const [name, seq, expiry] = outcome.split(' ')
  if (name === 'leased' && slot !== undefined && message !== undefined) {
    slot.deliver(tenant, { ...message, seq: Number(seq), lease_expires_at: Number(expiry) })
    return { isBooked: true, isDelivered: true }
  }
  slot?.release()
  return { isBooked: name === 'booked', isDelivered: false }
}

/**
 * Returns the outcome of each draft, or undefined when PostgreSQL has refused the statement and so written nothing.
 * @throws the error of an unavailable store, after which the drafts may be booked or not
 */
async function bookDrafts(
  store: Store,
  values: Parameters<typeof createInBatch>[1],
): Promise<readonly string[] | undefined> {
  try {
    const { rows } = await store.executeQuery(createInBatch(store, values))
    return rows[0]?.outcomes
  } catch (error) {
    if (isRefused(error)) return undefined
    throw error
  }
}
