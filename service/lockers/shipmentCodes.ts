import type { ShipmentEvent } from '#contract/machines'
import { activeStates, type StateCode } from '#contract/terms'
import type { Call } from '../call.ts'
import { isOneOf, keepQuery } from '../store/statements.ts'
import type { ShipmentColumns } from '../store/tables.ts'
import {
  type AccessCodes,
  allocateAccessCodes,
  type CodeContext,
  deleteHashes,
  encryptAccessCodes,
  readAccessCodes,
} from './accessCodes.ts'

/** The effect of a code at the locker. The shipment's state tells a drop off from a pick up. */
export const accesses = {
  DropOff: { state: 'ReadyForDropOff', code: 'deliveryCode', event: { type: 'dropOff' } },
  PickUp: { state: 'ReadyForPickup', code: 'pickUpCode', event: { type: 'pickUp' } },
} as const satisfies Record<string, Access>

export interface Access {
  readonly state: StateCode
  readonly code: keyof AccessCodes
  readonly event: ShipmentEvent
}

type RenewContext = Pick<Call, 'tx' | 'now' | 'secrets'>

/** Replaces the pick up code. A waiting swap is dropped off in the same door opening, so its delivery code changes too. */
export async function renewPickUpCode(context: RenewContext, shipment: ShipmentColumns): Promise<void> {
  const { tx } = context
  const { shipment_uid, pup_uid, locker_uid } = shipment
  const code = await allocateAccessCode(context, pup_uid)
  await writeCodes(context, shipment, { pickUpCode: code })
  const { rows } = await tx.executeQuery(findSwap(tx, { shipmentUid: shipment_uid }))
  const [swap] = rows
  if (swap !== undefined) await writeCodes(context, swap, { deliveryCode: code })
  const { pickUpCode } = readAccessCodes(context, shipment)
  await releaseCodes(context, { pup_uid, locker_uid }, [pickUpCode])
}

const findSwap = keepQuery((db, { shipmentUid }: { readonly shipmentUid: string }) =>
  db
    .selectFrom('shipments')
    .select(['shipment_uid', 'updated_at'])
    .where('swaps_shipment_uid', '=', shipmentUid)
    .where(eb => isOneOf(eb, 'state_code', activeStates)),
)

/** Replaces the delivery code. A waiting swap shares its code with the swapped shipment, so both change. */
export async function renewDeliveryCode(context: RenewContext, shipment: ShipmentColumns): Promise<void> {
  const { tx } = context
  const { pup_uid, locker_uid } = shipment
  const swapped = await tx
    .selectFrom('shipments')
    .selectAll()
    .where('shipment_uid', '=', shipment.swaps_shipment_uid)
    .where('state_code', 'in', activeStates)
    .executeTakeFirst()
  if (swapped !== undefined) return renewPickUpCode(context, swapped)
  await writeCodes(context, shipment, { deliveryCode: await allocateAccessCode(context, pup_uid) })
  const { deliveryCode } = readAccessCodes(context, shipment)
  await releaseCodes(context, { pup_uid, locker_uid }, [deliveryCode])
}

async function writeCodes(
  context: RenewContext,
  { shipment_uid, updated_at }: Pick<ShipmentColumns, 'shipment_uid' | 'updated_at'>,
  codes: Partial<AccessCodes>,
): Promise<void> {
  const updatedAt = Math.max(context.now, updated_at)
  const { pick_up_code, delivery_code } = encryptAccessCodes(context, shipment_uid, codes)
  const { tx } = context
  for (const [column, code] of [
    ['pick_up_code', pick_up_code],
    ['delivery_code', delivery_code],
  ] as const) {
    if (code != null) await tx.executeQuery(writeCode[column](tx, { shipment_uid, updatedAt, code }))
  }
}

interface WrittenCode extends Pick<ShipmentColumns, 'shipment_uid'> {
  readonly updatedAt: number
  /** Encrypted. */
  readonly code: string
}

const writeCode = { pick_up_code: keepWrite('pick_up_code'), delivery_code: keepWrite('delivery_code') }

function keepWrite(column: 'pick_up_code' | 'delivery_code') {
  return keepQuery((db, { shipment_uid, updatedAt, code }: WrittenCode) =>
    db
      .updateTable('shipments')
      .set({ [column]: code, updated_at: updatedAt })
      .where('shipment_uid', '=', shipment_uid),
  )
}

/** Releases the codes of shipments of one locker that have ended, except those that an active one of the locker uses. */
export async function releaseAccessCodes(context: CodeContext, ended: readonly ShipmentColumns[]): Promise<void> {
  const [first] = ended
  const codes = ended.flatMap(shipment => Object.values(readAccessCodes(context, shipment)))
  if (first !== undefined) await releaseCodes(context, first, codes)
}

async function releaseCodes(
  context: CodeContext,
  { pup_uid, locker_uid }: Pick<ShipmentColumns, 'pup_uid' | 'locker_uid'>,
  codes: readonly (string | null)[],
): Promise<void> {
  const { tx, secrets } = context
  if (codes.every(code => code === null)) return
  const { rows: others } = await tx.executeQuery(findUsed(tx, { locker_uid }))
  const used = new Set(others.flatMap(other => Object.values(readAccessCodes(context, other))))
  const free = [...new Set(codes)].filter(code => code !== null && !used.has(code)) as string[]
  await deleteHashes(context, pup_uid, secrets.hashReleasedCodes(pup_uid, free))
}

const findUsed = keepQuery((db, { locker_uid }: Pick<ShipmentColumns, 'locker_uid'>) =>
  db
    .selectFrom('shipments')
    .select(['shipment_uid', 'pick_up_code', 'delivery_code'])
    .where('locker_uid', '=', locker_uid)
    .where(eb => isOneOf(eb, 'state_code', activeStates)),
)

async function allocateAccessCode(context: CodeContext, pupUid: string): Promise<string> {
  const [code = ''] = await allocateAccessCodes(context, pupUid, 1)
  return code
}
