import { sql } from 'kysely'
import type { Call } from '../call.ts'
import { drawAccessCodes, toSides } from '../lockers/index.ts'
import { toMessage } from '../outbox/index.ts'
import { createGroupCommit } from '../store/groupCommit.ts'
import { asTransaction, isRefused, type Store } from '../store/index.ts'
import { hasRowLocks } from '../store/locks.ts'
import { keepQuery } from '../store/statements.ts'
import type { IdempotencyRow } from '../store/tables.ts'
import { isUser, type ShipmentRequest, uidOf } from './create.ts'
import { toShipment } from './insert.ts'

// Plain bookings on PostgreSQL share a statement and its commit (D-271). The function of migration 0009 knows the usual case
// only; everything else is left to `createShipment`.

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

/** Books a plain shipment and returns whether it has a callback, or writes nothing and returns undefined. */
export type BookInBatch = (booking: BatchedBooking) => Promise<{ readonly hasCallback: boolean } | undefined>

type Tenant = Awaited<ReturnType<Call['tenant']>>

/** A draft as JSON, and a function to be called when it is sent. */
interface Draft {
  readonly json: string
  readonly sent: () => void
}

const createShipments = keepQuery((db, { drafts }: { readonly drafts: string }) =>
  db.selectNoFrom(sql<string[]>`create_shipments(${drafts}::jsonb)`.as('outcomes')),
)

/** Returns undefined for the embedded store, which has no round trips to save. */
export function createBatches(store: Store, secrets: Call['secrets']): BookInBatch | undefined {
  if (!hasRowLocks(store)) return undefined
  /** As of the last read. A draft with an outdated one is not booked. */
  const tenants = new Map<string, Tenant>()
  const commit = createGroupCommit<Draft, boolean>({
    lanes,
    fullAt: maxDrafts,
    commit: next => commitDrafts(store, next),
  })

  async function readTenant(tenantId: string): Promise<Tenant> {
    const tenant = await store
      .selectFrom('tenants')
      .select(['dispatcher_user_uid', 'callback_url'])
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow()
    tenants.set(tenantId, tenant)
    return tenant
  }

  return async booking => {
    if (booking.shipment.request.LockerUid != null) return undefined
    const { tenantId } = booking
    const tenant = tenants.get(tenantId) ?? (await readTenant(tenantId))
    const isBooked = await asTransaction(store, async sent => {
      // In the span of the transaction, to which the callback belongs.
      const json = toDraft(secrets, booking, tenant)
      return !unstorable.test(json) && commit({ json, sent })
    })
    if (isBooked) return { hasCallback: tenant.callback_url !== null }
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
): string {
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
  return JSON.stringify({
    pup_uid: pupUid,
    tenant_id: tenantId,
    shipment,
    dispatcher: tenant.dispatcher_user_uid,
    accounts: [...new Set(users)],
    larger,
    ...toSides(dimension),
    // Without the codes: a log of PostgreSQL may contain parameters.
    hashes: secrets.hashCodes(pupUid, [pickUpCode, deliveryCode]).map(({ code: _, ...hash }) => hash),
    ...(tenant.callback_url !== null && { message: toMessage(shipment, now) }),
    ...(key && { client_id: key.row.client_id, key: key.row.key, lock: key.lock, response: key.row }),
  })
}

async function commitDrafts(
  store: Store,
  next: () => Draft | undefined,
): Promise<readonly PromiseSettledResult<boolean>[]> {
  const drafts: string[] = []
  for (let draft = next(); draft !== undefined; draft = drafts.length < maxDrafts ? next() : undefined) {
    draft.sent()
    drafts.push(draft.json)
  }
  const outcomes = await bookDrafts(store, `[${drafts.join(',')}]`)
  return drafts.map((_, at) => ({ status: 'fulfilled', value: outcomes?.[at] === 'booked' }))
}

/**
 * Returns the outcome of each draft, or undefined when PostgreSQL has refused the statement and so written nothing.
 * @throws the error of an unavailable store, after which the drafts may be booked or not
 */
async function bookDrafts(store: Store, drafts: string): Promise<readonly string[] | undefined> {
  try {
    const { rows } = await store.executeQuery(createShipments(store, { drafts }))
    return rows[0]?.outcomes
  } catch (error) {
    if (isRefused(error)) return undefined
    throw error
  }
}
