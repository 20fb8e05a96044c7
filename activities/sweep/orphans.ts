import type { Client } from '@temporalio/client'
import { ApplicationFailure } from '@temporalio/common'
import { findCase, type KnownCase, readResult } from '#client/cases'
import type { ShipmentItem } from '#contract'
import type { Api } from '#contract/client'
import type { ServiceProfile } from '#contract/terms'
import {
  type FlowResult,
  isCaseNo,
  type LateBookings,
  type OrphanedCase,
  type SweepInput,
  type SweepReport,
  toWorkflowId,
} from '#flows'
import { nonRetryable, retryable, withApplicationFailures } from '../failures.ts'
import { readShipmentPages } from '../shipmentPages.ts'

/** Shipments per page, concurrent look-ups of cases, and cases per report, since the size of a history is limited. */
const [pageSize, concurrency, maxCases] = [500, 10, 1_000]

type Held = Pick<ShipmentItem, 'shipmentUid' | 'stateCode' | 'pupUid' | 'lockerName' | 'stateStart' | 'created'>

export interface Search extends Pick<SweepInput, 'olderThan' | 'caseNo' | 'late'> {
  readonly profile: ServiceProfile
  /** By the clock of the service, in milliseconds since 1970. */
  readonly now: number
  readonly heartbeat: () => void
}

/**
 * Finds active shipments of the API client whose case has no running flow. Shipments without a case number do not belong
 * to flows. Pages can shift while they are read: the next sweep finds the shipments that this one misses.
 */
export async function findOrphans(api: Api, client: Client, search: Search): Promise<SweepReport> {
  const { olderThan, profile, now, heartbeat, late } = search
  if (!profile.reads) throw nonRetryable('ReadsUnsupported', 'The service does not offer GetShipments.')
  const byCase = await withApplicationFailures(() => activeByCase(api, search))
  const report: SweepReport = { cases: [], tooRecent: 0, completed: 0, allListed: true }
  const old: [string, Held[]][] = []
  for (const entry of byCase) {
    const isTooRecent = late === undefined && entry[1].some(held => lastChange(held) > now - olderThan)
    if (isTooRecent) report.tooRecent++
    else old.push(entry)
  }
  for (let at = 0; at < old.length; at += concurrency) {
    heartbeat()
    const few = old.slice(at, at + concurrency)
    const results = await Promise.all(few.map(([caseNo, held]) => classify(client, caseNo, held, late)))
    for (const result of results) {
      if (result === 'completed') report.completed++
      else if (result !== 'running') report.cases.push(result)
    }
    if (report.cases.length < maxCases || at + concurrency >= old.length) continue
    return { ...report, allListed: false }
  }
  return report
}

async function activeByCase(api: Api, { caseNo, profile, heartbeat }: Search): Promise<Map<string, Held[]>> {
  const byCase = new Map<string, Held[]>()
  const filter = profile.readsByCase && caseNo !== undefined ? { referenceCaseNo: caseNo } : {}
  heartbeat()
  for await (const items of readShipmentPages(api, { ...filter, activeShipments: true }, pageSize)) {
    heartbeat()
    for (const { referenceCaseNo, ...item } of items) {
      if (!isCaseNo(referenceCaseNo)) continue
      if (caseNo !== undefined && referenceCaseNo !== caseNo) continue
      const { shipmentUid, stateCode, pupUid, lockerName, stateStart, created } = item
      const held = { shipmentUid, stateCode, pupUid, lockerName, stateStart, created }
      byCase.set(referenceCaseNo, [...(byCase.get(referenceCaseNo) ?? []), held])
    }
  }
  return byCase
}

/**
 * The state of a case in Temporal. A flow that completed as declared has handed over the shipments of its result, for
 * instance as stock. Other shipments of the case come from creates that it did not learn of.
 */
async function classify(
  client: Client,
  caseNo: string,
  active: Held[],
  late: LateBookings | undefined,
): Promise<OrphanedCase | 'running' | 'completed'> {
  const known = await findCase(client, caseNo)
  if (known?.running) {
    // A sweep can meet the last task of its own flow. A flow that was started again searches the bookings of its case itself.
    if (late?.runId === known.runId) throw retryable('CaseInUse', 'The flow of the case has not ended yet.')
    return 'running'
  }
  // A later run that was terminated has told no caller of its shipments.
  if (late?.runId !== undefined && known !== undefined && known.runId !== late.runId && !hasTold(known))
    return 'running'
  const result = known?.status === 'COMPLETED' ? await readResult(client, caseNo, known) : null
  const dealtWith =
    late === undefined
      ? toHandedOver(result)
      : [...late.known, ...toKnown(result), ...(await findLeftOver(client, caseNo, known))]
  const held = active.filter(({ shipmentUid }) => !dealtWith.includes(shipmentUid))
  if (held.length === 0) return 'completed'
  const shipments = held.map(({ shipmentUid, stateCode, pupUid, lockerName, stateStart }) => ({
    shipmentUid,
    stateCode,
    pupUid,
    lockerName,
    since: `${stateStart}Z`,
  }))
  if (known === undefined) return { caseNo, flow: null, reason: 'Temporal does not know the case', shipments }
  const { flow, status } = known
  if (result === null) return { caseNo, flow, reason: `its flow was closed as ${status}`, shipments }
  const knows = toKnown(result)
  const isLeftOver = held.every(({ shipmentUid }) => knows.includes(shipmentUid))
  const reason = isLeftOver ? `left over by its flow, ${result.outcome}` : 'booked without the knowledge of its flow'
  return { caseNo, flow, reason, shipments }
}

function hasTold({ status }: KnownCase): boolean {
  return status === 'COMPLETED' || status === 'FAILED'
}

/** The shipments that a failed flow has left over: a case that has failed may have been started again. */
async function findLeftOver({ workflow }: Client, caseNo: string, known: KnownCase | undefined): Promise<string[]> {
  if (known?.status !== 'FAILED') return []
  const error: unknown = await workflow
    .getHandle(toWorkflowId(caseNo), known.runId)
    .result()
    .catch(error => error)
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof ApplicationFailure)) throw error
  const [details] = (cause.details ?? []) as [Partial<FlowResult>?]
  return toUids(details?.leftOver ?? [])
}

/** The shipments that a completed flow handed over: those of its result without the left-overs. */
function toHandedOver(result: FlowResult | null): string[] {
  if (result?.outcome !== 'completed') return []
  const left: readonly (string | null)[] = result.leftOver.map(({ shipmentUid }) => shipmentUid)
  return toKnown(result).filter(shipmentUid => !left.includes(shipmentUid))
}

function toKnown(result: FlowResult | null): string[] {
  return toUids([...(result?.shipments ?? []), ...(result?.leftOver ?? [])])
}

function toUids(held: readonly { readonly shipmentUid: string | null }[]): string[] {
  return held.flatMap(({ shipmentUid }) => (shipmentUid === null ? [] : [shipmentUid]))
}

/** Milliseconds since 1970. The service writes times in UTC, without an offset. */
function lastChange({ created, stateStart }: Held): number {
  return Math.max(Date.parse(`${created}Z`), Date.parse(`${stateStart}Z`))
}
