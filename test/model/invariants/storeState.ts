import type { Service } from '#service'
import { readAccessCodes } from '../../../service/lockers/index.ts'

/** Reads shipments, lockers, codes and accounts from the store, without the API. */
export async function readStoreState({ store, secrets }: Pick<Service, 'store' | 'secrets'>) {
  const rows = await store.selectFrom('shipments').selectAll().orderBy('seq').execute()
  const shipments = rows.map(row => {
    const { pickUpCode, deliveryCode } = readAccessCodes({ secrets }, row)
    return { ...row, pick_up_code: pickUpCode, delivery_code: deliveryCode }
  })
  const booked = await store.selectFrom('lockers').select('locker_uid').where('booked', '=', 1).execute()
  const codes = await store.selectFrom('access_codes').selectAll().execute()
  const accounts = await store.selectFrom('accounts').selectAll().orderBy('created_at').execute()
  const byUid = new Map(shipments.map(shipment => [shipment.shipment_uid, shipment]))
  const hashes = (pupUid: string, code: string) => secrets.hashCodes(pupUid, [code]).map(({ code_hash }) => code_hash)
  return { shipments, hashes, byUid, booked: booked.map(({ locker_uid }) => locker_uid).sort(), codes, accounts }
}

export type StoreState = Awaited<ReturnType<typeof readStoreState>>
export type StoredShipment = StoreState['shipments'][number]

const finalStates: readonly string[] = ['Completed', 'Cancelled']
const fullStates: readonly string[] = ['WaitForReceiver', 'ReadyForPickup']

export const isActive = ({ state_code }: StoredShipment) => !finalStates.includes(state_code)
export const holdsItem = ({ state_code }: StoredShipment) => fullStates.includes(state_code)

/** The prior shipment's uid, for any link. */
export function priorUidOf(shipment: StoredShipment): string | null {
  return shipment.swaps_shipment_uid ?? shipment.prior_shipment_uid ?? shipment.circular_prior_shipment_uid
}

export function findPrior({ byUid }: StoreState, shipment: StoredShipment): StoredShipment | undefined {
  return byUid.get(priorUidOf(shipment) ?? '')
}
