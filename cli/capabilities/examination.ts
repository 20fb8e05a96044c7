import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestOf, ShipmentItem } from '#contract'
import type { Api } from '#contract/client'
import { type Attempt, requireAnswer, type Trial } from './trial.ts'

/** A capability that the service has or lacks, with the observation that shows it. */
export interface Finding {
  readonly has: boolean
  readonly found: string
}

/** Milliseconds between the readings of a shipment that is not listed yet: flows read for ten seconds. */
const listingPauses = [100, 400, 1_000, 2_000, 3_000, 3_500]

/** Milliseconds by which the clock of the service may be behind. */
const clockSlack = 15 * 60_000

const has = (found: string): Finding => ({ has: true, found })
const lacks = (found: string): Finding => ({ has: false, found })

/** A create that is repeated, one after the other. */
export async function examineRepetition(trial: Trial, first: string, key: string): Promise<Finding> {
  const again = await trial.book(key)
  if ('error' in again) return lacks(`a repeated create is refused: ${again.error.code}`)
  return again.shipmentUid === first
    ? has('a repeated create has the first response')
    : lacks('a repeated create books again')
}

/** A create that is repeated before its first response. */
export async function examineSimultaneity(trial: Trial, first: string, key: string): Promise<Finding> {
  const both = await Promise.all([trial.book(key), trial.book(key)])
  // A service may refuse the second one while the first one runs: a flow then retries it.
  const last = await trial.book(key)
  if ('error' in last) return lacks(`a repeated create is refused: ${last.error.code}`)
  const uids = new Set([...both, last].flatMap(uidsOf))
  if (uids.size > 1) return lacks('two simultaneous creates with one key book twice')
  if (uids.has(first)) return lacks('a create with another key has the response of the first one')
  return has('a repeated create has the first response, even while the first one runs')
}

/** GetShipments with the filters of flows of a service that cannot filter by case. */
export async function examineReads({ api, caseNo, pupUid }: Trial, uid: string): Promise<Finding> {
  const start = Date.now()
  const read = await findListed(api, uid, { shipmentUid: uid, pageSize: 1 })
  if ('reason' in read) return lacks(read.reason)
  const { item } = read
  if (item === undefined) return lacks('GetShipments does not list a new shipment within ten seconds')
  if (item.referenceCaseNo !== caseNo)
    return lacks('GetShipments returns another referenceCaseNo than that of the booking')
  const seconds = ((Date.now() - start) / 1_000).toFixed(1)
  const search = { bookedPupUid: pupUid, updatedSince: since(start), sortBy: 'CreatedDesc', pageSize: 10 } as const
  const ofPoint = await findListed(api, uid, search)
  if ('reason' in ofPoint) return lacks(ofPoint.reason)
  if (ofPoint.item === undefined && item.pupUid === pupUid)
    return lacks('GetShipments by bookedPupUid and updatedSince, the newest first, does not list a new shipment')
  return has(`GetShipments lists a new shipment after ${seconds} s`)
}

/** GetShipments with `referenceCaseNo`. */
export async function examineReadsByCase({ api, caseNo }: Trial, uid: string): Promise<Finding> {
  const search = { updatedSince: since(Date.now()), pageSize: 10 }
  const ofCase = await findListed(api, uid, { ...search, referenceCaseNo: caseNo })
  if ('reason' in ofCase) return lacks(ofCase.reason)
  if (ofCase.item === undefined) return lacks('GetShipments by referenceCaseNo does not list a new shipment')
  const ofOther = await findListed(api, uid, { ...search, referenceCaseNo: `${caseNo}-of-no-flow` }, [])
  if ('reason' in ofOther) return lacks(ofOther.reason)
  if (ofOther.others > 0 || ofOther.item !== undefined || ofCase.others > 0)
    return lacks('GetShipments by referenceCaseNo lists shipments of other cases')
  return has('GetShipments by referenceCaseNo lists the shipments of the case only')
}

type Listed = { readonly item: ShipmentItem | undefined; readonly others: number } | { readonly reason: string }

/** Reads until the shipment is listed. */
async function findListed(
  api: Api,
  uid: string,
  search: RequestOf<'GetShipments'>,
  pauses: readonly number[] = listingPauses,
): Promise<Listed> {
  try {
    for (let reading = 0; ; reading++) {
      const { items } = await api.call('GetShipments', search)
      const item = items.find(({ shipmentUid }) => shipmentUid === uid)
      const pause = pauses[reading]
      if (item !== undefined || pause === undefined)
        return { item, others: items.filter(other => other.referenceCaseNo !== search.referenceCaseNo).length }
      await sleep(pause)
    }
  } catch (error) {
    const { code, message } = requireAnswer(error)
    if (code === 'UnknownOperation') return { reason: 'there is no GetShipments' }
    return { reason: code === 'MalformedResponse' ? message : `GetShipments is refused: ${code}` }
  }
}

function uidsOf(attempt: Attempt): string[] {
  return 'shipmentUid' in attempt ? [attempt.shipmentUid] : []
}

function since(now: number): string {
  return new Date(now - clockSlack).toISOString()
}
