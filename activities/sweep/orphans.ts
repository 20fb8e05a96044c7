import type { Client } from '@temporalio/client'
import type { Api } from '#api'
import { findCase, outcomeOf } from '#client'
import type { ShipmentItem } from '#contract'
import { isCaseNo, type OrphanedCase, type ServiceProfile, type SweepOrder, type SweepReport } from '#contract/terms'
import { finalFailure, translated } from '../failures.ts'

/** Shipments of one page, cases that are asked about at once, and cases that one sweep reports: a history has limits. */
const [perPage, atOnce, mostCases] = [500, 10, 1_000]

type Held = Pick<ShipmentItem, 'shipmentUid' | 'stateCode' | 'pupUid' | 'lockerName' | 'stateStart' | 'created'>

export interface Search extends Pick<SweepOrder, 'olderThan' | 'caseNo'> {
  readonly profile: ServiceProfile
  readonly heartbeat: () => void
}

/**
 * Active shipments of the API client whose case has no running flow. Shipments without a case number are none of
 * ours. Pages can shift while they are read; what is overlooked is found by the next sweep.
 */
export async function findOrphans(api: Api, client: Client, search: Search): Promise<SweepReport> {
  const { olderThan, profile, heartbeat } = search
  if (!profile.reads) throw finalFailure('CannotBeAsked', 'The service cannot be asked for its shipments.')
  const byCase = await translated(() => activeByCase(api, search))
  const report: SweepReport = { cases: [], young: 0, handedBack: 0, isWhole: true }
  const old: [string, Held[]][] = []
  for (const entry of byCase) {
    if (entry[1].some(held => changed(held) > Date.now() - olderThan)) report.young++
    else old.push(entry)
  }
  for (let at = 0; at < old.length; at += atOnce) {
    heartbeat()
    const few = old.slice(at, at + atOnce)
    const found = await Promise.all(few.map(([caseNo, held]) => standing(client, caseNo, held)))
    for (const one of found) {
      if (one === 'handedBack') report.handedBack++
      else if (one !== 'running') report.cases.push(one)
    }
    if (report.cases.length < mostCases || at + atOnce >= old.length) continue
    return { ...report, isWhole: false }
  }
  return report
}

async function activeByCase(api: Api, { caseNo, heartbeat }: Search): Promise<Map<string, Held[]>> {
  const byCase = new Map<string, Held[]>()
  for (let pageNo = 1; ; pageNo++) {
    heartbeat()
    const { items, totalPages } = await api.call('GetShipments', { activeShipments: true, pageNo, pageSize: perPage })
    for (const { referenceCaseNo, ...item } of items) {
      if (referenceCaseNo === null || !isCaseNo(referenceCaseNo)) continue
      if (caseNo !== undefined && referenceCaseNo !== caseNo) continue
      const { shipmentUid, stateCode, pupUid, lockerName, stateStart, created } = item
      const held = { shipmentUid, stateCode, pupUid, lockerName, stateStart, created }
      byCase.set(referenceCaseNo, [...(byCase.get(referenceCaseNo) ?? []), held])
    }
    if (pageNo >= totalPages || items.length === 0) return byCase
  }
}

/** How a case stands in Temporal. A flow that completed as declared is done with its shipments: they are stock. */
async function standing(
  client: Client,
  caseNo: string,
  held: Held[],
): Promise<OrphanedCase | 'running' | 'handedBack'> {
  const known = await findCase(client, caseNo)
  if (known?.running) return 'running'
  const shipments = held.map(({ shipmentUid, stateCode, pupUid, lockerName, stateStart }) => ({
    shipmentUid,
    stateCode,
    pupUid,
    lockerName,
    since: `${stateStart}Z`,
  }))
  if (known === undefined) return { caseNo, flow: null, why: 'Temporal does not know the case', shipments }
  const { flow, status } = known
  if (status !== 'COMPLETED') return { caseNo, flow, why: `its flow was closed as ${status}`, shipments }
  const outcome = await outcomeOf(client, caseNo, known)
  return outcome === 'completed' ? 'handedBack' : { caseNo, flow, why: `left over by its flow, ${outcome}`, shipments }
}

/** Milliseconds since 1970. Times of the service are in UTC, without saying so. */
function changed({ created, stateStart }: Held): number {
  return Math.max(Date.parse(`${created}Z`), Date.parse(`${stateStart}Z`))
}
