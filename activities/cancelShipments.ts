import { type Api, ApiFault, ApiRefusal } from '#api'
import { readStateCode, states } from '#contract/terms'
import { translated } from './failures.ts'
import type { CancelShipmentsOrder, CleanedShipment } from './interface.ts'
import { readShipment } from './shipments.ts'

const itemInside = 'there is an item in the locker'

/**
 * Cancels the shipments that hold no item. Each is looked at first, since what the flow last heard may be old and
 * software must not free a locker that is not empty. What cannot be cancelled is left, with the reason: one shipment
 * that the service refuses must not keep the others booked. Repeating it does no harm.
 */
export async function cancelShipments(
  api: Api,
  { shipments, profile }: CancelShipmentsOrder,
): Promise<CleanedShipment[]> {
  return translated(async () => {
    const cleaned: CleanedShipment[] = []
    for (const { shipmentUid, stateCode } of shipments) {
      const read = async () => (profile.reads ? (await readShipment(api, shipmentUid))?.stateCode : stateCode)
      cleaned.push(await orLeft(shipmentUid, stateCode, () => clean(api, shipmentUid, read)))
    }
    return cleaned
  })
}

type Read = () => Promise<string | undefined>

async function clean(api: Api, shipmentUid: string, read: Read): Promise<CleanedShipment> {
  const before = await read()
  const standing = judge(shipmentUid, before)
  if (standing !== undefined) return standing
  try {
    await api.call('CancelShipment', { shipmentUid })
    return { shipmentUid, stateCode: 'Cancelled', left: null }
  } catch (error) {
    if (!(error instanceof ApiRefusal)) throw error
    // It ended, or an item came in, since we looked; the state it has now says which.
    const now = await read()
    return judge(shipmentUid, now) ?? { shipmentUid, stateCode: now ?? 'Unknown', left: refusedBy(error.code) }
  }
}

/** What is to be said of a shipment that is not to be cancelled; undefined when it is. */
function judge(shipmentUid: string, stateCode: string | undefined): CleanedShipment | undefined {
  if (stateCode === undefined) return { shipmentUid, stateCode: 'Unknown', left: 'the service does not know it' }
  const state = readStateCode(stateCode)
  if (state === undefined) return { shipmentUid, stateCode, left: 'its state is not one that we know' }
  if (states[state].final) return { shipmentUid, stateCode: state, left: null }
  return states[state].holdsItem ? { shipmentUid, stateCode: state, left: itemInside } : undefined
}

/** What the service refuses, or cannot read, is left, with the reason; faults are thrown. */
export async function orLeft(
  shipmentUid: string,
  stateCode: string,
  work: () => Promise<CleanedShipment>,
): Promise<CleanedShipment> {
  try {
    return await work()
  } catch (error) {
    const isFinal = error instanceof ApiRefusal || (error instanceof ApiFault && !error.retryable)
    if (!isFinal) throw error
    return { shipmentUid, stateCode, left: refusedBy(error.code) }
  }
}

export function refusedBy(code: string): string {
  return `the service refused: ${code}`
}
