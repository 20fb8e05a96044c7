import type { Client } from '@temporalio/client'
import type { Api } from '#api'
import { findCase, readOutcome } from '#client/cases'
import type { ShipmentItem } from '#contract'
import type { ServiceProfile } from '#contract/terms'
import { isCaseNo, type OrphanedCase, type SweepInput, type SweepReport } from '#flows'
import { nonRetryable, withApplicationFailures } from '../failures.ts'
import { readShipmentPages } from '../shipmentPages.ts'

/** Shipments per page, concurrent look-ups of cases, and cases per report, since the size of a history is limited. */
const [pageSize, concurrency, maxCases] = [500, 10, 1_000]

type Held = Pick<ShipmentItem, 'shipmentUid' | 'stateCode' | 'pupUid' | 'lockerName' | 'stateStart' | 'created'>

export interface Search extends Pick<SweepInput, 'olderThan' | 'caseNo'> {
  readonly profile: ServiceProfile
  readonly heartbeat: () => void
}

/**
 * Finds active shipments of the API client whose case has no running flow. Shipments without a case number do not belong
 * to flows. Pages can shift while they are read: the next sweep finds the shipments that this one misses.
 */
export async function findOrphans(api: Api, client: Client, search: Search): Promise<SweepReport> {
  const { olderThan, profile, heartbeat } = search
  if (!profile.reads) throw nonRetryable('ReadsUnsupported', 'The service does not offer GetShipments.')
  const byCase = await withApplicationFailures(() => activeByCase(api, search))
  const report: SweepReport = { cases: [], tooRecent: 0, completed: 0, allListed: true }
  const old: [string, Held[]][] = []
  for (const entry of byCase) {
    if (entry[1].some(held => lastChange(held) > Date.now() - olderThan)) report.tooRecent++
    else old.push(entry)
  }
  for (let at = 0; at < old.length; at += concurrency) {
    heartbeat()
    const few = old.slice(at, at + concurrency)
    const results = await Promise.all(few.map(([caseNo, held]) => classify(client, caseNo, held)))
    for (const result of results) {
      if (result === 'completed') report.completed++
      else if (result !== 'running') report.cases.push(result)
    }
    if (report.cases.length < maxCases || at + concurrency >= old.length) continue
    return { ...report, allListed: false }
  }
  return report
}

async function activeByCase(api: Api, { caseNo, heartbeat }: Search): Promise<Map<string, Held[]>> {
  const byCase = new Map<string, Held[]>()
  heartbeat()
  for await (const items of readShipmentPages(api, { activeShipments: true }, pageSize)) {
    heartbeat()
    for (const { referenceCaseNo, ...item } of items) {
      if (referenceCaseNo === null || !isCaseNo(referenceCaseNo)) continue
      if (caseNo !== undefined && referenceCaseNo !== caseNo) continue
      const { shipmentUid, stateCode, pupUid, lockerName, stateStart, created } = item
      const held = { shipmentUid, stateCode, pupUid, lockerName, stateStart, created }
      byCase.set(referenceCaseNo, [...(byCase.get(referenceCaseNo) ?? []), held])
    }
  }
  return byCase
}

/** The state of a case in Temporal. A flow that completed as declared has handed its shipments back, for instance as stock. */
async function classify(client: Client, caseNo: string, held: Held[]): Promise<OrphanedCase | 'running' | 'completed'> {
  const known = await findCase(client, caseNo)
  if (known?.running) return 'running'
  const shipments = held.map(({ shipmentUid, stateCode, pupUid, lockerName, stateStart }) => ({
    shipmentUid,
    stateCode,
    pupUid,
    lockerName,
    since: `${stateStart}Z`,
  }))
  if (known === undefined) return { caseNo, flow: null, reason: 'Temporal does not know the case', shipments }
  const { flow, status } = known
  if (status !== 'COMPLETED') return { caseNo, flow, reason: `its flow was closed as ${status}`, shipments }
  const outcome = await readOutcome(client, caseNo, known)
  return outcome === 'completed'
    ? 'completed'
    : { caseNo, flow, reason: `left over by its flow, ${outcome}`, shipments }
}

/** Milliseconds since 1970. The service writes times in UTC, without an offset. */
function lastChange({ created, stateStart }: Held): number {
  return Math.max(Date.parse(`${created}Z`), Date.parse(`${stateStart}Z`))
}
