import type { OrphanedCase, OrphanedShipment, SweepOrder, SweepReport } from '#contract/terms'

/** A sweep in words, a line for each shipment. */
export function reportOf(report: SweepReport, { act }: Pick<SweepOrder, 'act'>): string[] {
  const { cases, young, handedBack, isWhole } = report
  const shipments = cases.reduce((sum, { shipments }) => sum + shipments.length, 0)
  return [
    ...cases.flatMap(orphan => linesOf(orphan, act)),
    ...(cases.length > 0 ? [''] : []),
    `${counted(shipments, 'active shipment')} of ${counted(cases.length, 'case')} without a running flow.`,
    ...(young > 0 ? [`${counted(young, 'case')} too young to be judged.`] : []),
    ...(handedBack > 0 ? [`${counted(handedBack, 'case')} completed as declared, with what it handed back.`] : []),
    ...(isWhole ? [] : ['There are more: sweep again, or with --case.']),
  ]
}

function linesOf(orphan: OrphanedCase, act: SweepOrder['act']): string[] {
  const { caseNo, flow, why, shipments, adopted, left } = orphan
  const done = left !== undefined ? `left: ${left}` : adopted === true ? 'adopted' : undefined
  return [
    `${caseNo}  ${flow ?? 'unknown flow'}: ${why}${done === undefined ? '' : `; ${done}`}`,
    ...shipments.map(shipment => `  ${lineOf(shipment, act === 'cancel' && left === undefined)}`),
  ]
}

function lineOf({ shipmentUid, stateCode, pupUid, lockerName, since, left }: OrphanedShipment, tried: boolean): string {
  const place = lockerName === null ? 'no locker' : `locker ${lockerName} at ${pupUid ?? 'an unknown pick up point'}`
  const done = tried && left !== undefined ? `; left: ${left}` : ''
  return `${shipmentUid}  ${stateCode}  ${place}  since ${since}${done}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
