import {
  leftOverReasons,
  type OrphanedCase,
  type OrphanedShipment,
  type SweepInput,
  type SweepReport,
  toRefusedReason,
} from '#flows'

/** Describes a sweep, one line per shipment. */
export function formatReport(report: SweepReport, { act }: Pick<SweepInput, 'act'>): string[] {
  const { cases, tooRecent, completed, allListed } = report
  const shipments = cases.reduce((sum, { shipments }) => sum + shipments.length, 0)
  return [
    ...cases.flatMap(orphan => formatCase(orphan, act)),
    ...(cases.length > 0 ? [''] : []),
    `${count(shipments, 'active shipment')} of ${count(cases.length, 'case')} without a running flow.`,
    ...(tooRecent > 0
      ? [`${count(tooRecent, 'case')} changed too recently to be judged. Wait, or use a shorter --older-than.`]
      : []),
    ...(completed > 0 ? [`${count(completed, 'case')} completed as declared, with active shipments as outputs.`] : []),
    ...(allListed ? [] : ['More cases exist. Sweep again, or select one with --case.']),
  ]
}

/** A refusal of the service, or a case that could be adopted otherwise. Work for a person is the result of a sweep. */
export function countRefused({ cases }: SweepReport, { act }: Pick<SweepInput, 'act'>): number {
  const done: readonly (string | undefined)[] = [leftOverReasons.endedByItself, leftOverReasons.flowRuns]
  if (act === 'adopt') return cases.filter(({ adopted, left }) => adopted === false && !done.includes(left)).length
  const isRefused = ({ left }: OrphanedShipment) => left?.startsWith(toRefusedReason('')) === true
  return act === 'cancel' ? cases.filter(({ shipments }) => shipments.some(isRefused)).length : 0
}

function formatCase(orphan: OrphanedCase, act: SweepInput['act']): string[] {
  const { caseNo, flow, reason, shipments, adopted, left } = orphan
  const done = left !== undefined ? `left: ${left}` : adopted === true ? 'adopted' : undefined
  return [
    `${caseNo}  ${flow ?? 'unknown flow'}: ${reason}${done === undefined ? '' : `; ${done}`}`,
    ...shipments.map(shipment => `  ${formatShipment(shipment, act === 'cancel' && left === undefined)}`),
  ]
}

function formatShipment(
  { shipmentUid, stateCode, pupUid, lockerName, since, left }: OrphanedShipment,
  tried: boolean,
): string {
  const place = lockerName === null ? 'no locker' : `locker ${lockerName} at ${pupUid ?? 'an unknown pick up point'}`
  const done = tried && left !== undefined ? `; left: ${left}` : ''
  return `${shipmentUid}  ${stateCode}  ${place}  since ${since}${done}`
}

export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}
