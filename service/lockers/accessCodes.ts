import { randomInt } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { Call } from '../call.ts'
import type { CodeHash } from '../encryption/index.ts'
import type { Store } from '../store/index.ts'
import { keepRowsQuery, send } from '../store/statements.ts'
import type { AccessCodeRow, ShipmentColumns } from '../store/tables.ts'

const digits = 6
/** A pick up point has a few thousand active codes out of a million, so nearly every draw is free. */
const maxDraws = 100
/** Hashes whose deletion is kept for each number of them: those of a few shipments. A cancelled chain has more. */
const maxKept = 12

export type CodeContext = Pick<Call, 'tx' | 'secrets'>

type EncryptedCodes = Pick<ShipmentColumns, 'shipment_uid' | 'pick_up_code' | 'delivery_code'>

export interface AccessCodes {
  readonly pickUpCode: string | null
  readonly deliveryCode: string | null
}

/** Decrypts the codes of a shipment. */
export function readAccessCodes(
  { secrets }: Pick<Call, 'secrets'>,
  { shipment_uid: uid, pick_up_code: pickUp, delivery_code: delivery }: EncryptedCodes,
): AccessCodes {
  return {
    pickUpCode: pickUp && secrets.decrypt('shipments.pick_up_code', uid, pickUp),
    deliveryCode: delivery && secrets.decrypt('shipments.delivery_code', uid, delivery),
  }
}

/** Encrypts codes for the columns of a shipment. An absent code leaves its column out. */
export function encryptAccessCodes(
  { secrets }: Pick<Call, 'secrets'>,
  uid: string,
  { pickUpCode, deliveryCode }: Partial<AccessCodes>,
): Partial<Pick<ShipmentColumns, 'pick_up_code' | 'delivery_code'>> {
  return {
    ...(pickUpCode != null && { pick_up_code: secrets.encrypt('shipments.pick_up_code', uid, pickUpCode) }),
    ...(deliveryCode != null && { delivery_code: secrets.encrypt('shipments.delivery_code', uid, deliveryCode) }),
  }
}

/** Allocates six-digit codes that are unique at the pick up point until they are released. */
export async function allocateAccessCodes(context: CodeContext, pupUid: string, count: number): Promise<string[]> {
  return completeCodes(context, pupUid, count, [])
}

/**
 * Sends the first codes for a pick up point without waiting for the result. The returned function completes them. For another
 * pick up point, it releases them and allocates new ones.
 */
export async function startAccessCodes(
  context: CodeContext,
  pupUid: string,
  count: number,
): Promise<(pupUid: string) => Promise<readonly string[]>> {
  const { tx, secrets } = context
  const codes = drawAccessCodes(count)
  const rows = toHashRows(secrets, pupUid, codes)
  const inserted = await send(tx, insertHashes(tx, rows))
  return async used => {
    const free = await keepFreeCodes(context, pupUid, { codes, rows, inserted: await inserted() })
    if (used === pupUid) return completeCodes(context, pupUid, count, free)
    await deleteHashes(context, pupUid, context.secrets.hashReleasedCodes(pupUid, free))
    return allocateAccessCodes(context, used, count)
  }
}

/** Draws different codes, which may be in use. */
export function drawAccessCodes(count: number): readonly string[] {
  const drawn = new Set<string>()
  while (drawn.size < count) drawn.add(String(randomInt(10 ** digits)).padStart(digits, '0'))
  return [...drawn]
}

async function completeCodes(
  context: CodeContext,
  pupUid: string,
  count: number,
  first: readonly string[],
): Promise<string[]> {
  const allocated = [...first]
  for (let draw = 0; draw < maxDraws && allocated.length < count; draw++) {
    allocated.push(...(await insertFreeCodes(context, pupUid, drawAccessCodes(count - allocated.length))))
  }
  if (allocated.length < count) throw new Error(`pick up point ${pupUid} has no free access code`)
  return allocated
}

/** Inserts the hashes of free codes, and returns these codes. A code is free if its hashes under all data keys are. */
export async function insertFreeCodes(
  context: CodeContext,
  pupUid: string,
  codes: readonly string[],
): Promise<readonly string[]> {
  const { tx, secrets } = context
  const rows = toHashRows(secrets, pupUid, codes)
  const { rows: inserted } = await tx.executeQuery(insertHashes(tx, rows))
  return keepFreeCodes(context, pupUid, { codes, rows, inserted })
}

interface InsertedCodes {
  readonly codes: readonly string[]
  /** Their hashes. */
  readonly rows: readonly HashRow[]
  /** The hashes that no other code at the pick up point has. */
  readonly inserted: readonly Pick<HashRow, 'code_hash'>[]
}

/** Returns the codes of which all hashes were inserted, and deletes the hashes of the others. */
async function keepFreeCodes(
  { tx, secrets }: CodeContext,
  pupUid: string,
  { codes, rows, inserted }: InsertedCodes,
): Promise<readonly string[]> {
  if (inserted.length === rows.length) return codes
  const hashes = secrets.hashCodes(pupUid, codes)
  const isInserted = new Set(inserted.map(({ code_hash }) => code_hash))
  const taken = new Set(hashes.filter(({ code_hash }) => !isInserted.has(code_hash)).map(({ code }) => code))
  const partly = hashes.filter(({ code, code_hash }) => taken.has(code) && isInserted.has(code_hash))
  await deleteHashes({ tx }, pupUid, partly)
  return codes.filter(code => !taken.has(code))
}

type HashRow = Selectable<AccessCodeRow>

function toHashRows(secrets: CodeContext['secrets'], pupUid: string, codes: readonly string[]): readonly HashRow[] {
  const rows: HashRow[] = []
  for (const { data_key_id, code_hash } of secrets.hashCodes(pupUid, codes))
    rows.push({ pup_uid: pupUid, data_key_id, code_hash })
  return rows
}

const insertHashes = keepRowsQuery((db, rows: readonly HashRow[]) =>
  db
    .insertInto('access_codes')
    .values(rows.map(({ pup_uid, data_key_id, code_hash }) => ({ pup_uid, data_key_id, code_hash })))
    .onConflict(conflict => conflict.doNothing())
    .returning('code_hash'),
)

/** Deletes the hashes of codes, which are free from then on. */
export async function deleteHashes(
  { tx }: Pick<Call, 'tx'>,
  pupUid: string,
  hashes: readonly CodeHash[],
): Promise<void> {
  if (hashes.length === 0) return
  const rows = hashes.map(({ code_hash }) => ({ pup_uid: pupUid, code_hash }))
  await tx.executeQuery(rows.length > maxKept ? deleteRows(tx, rows).compile() : deleteFew(tx, rows))
}

function deleteRows(db: Store, rows: readonly Pick<HashRow, 'pup_uid' | 'code_hash'>[]) {
  return db
    .deleteFrom('access_codes')
    .where('pup_uid', '=', rows[0]?.pup_uid ?? '')
    .where(
      'code_hash',
      'in',
      rows.map(({ code_hash }) => code_hash),
    )
}

const deleteFew = keepRowsQuery(deleteRows)
