import { setCurrentDetails } from '@temporalio/workflow'
import { publishAttributes } from './attributes.ts'
import { type Run, statusOf } from './run.ts'

/** How many of the newest refusals the board shows. */
const newest = 5

/** Shows where the flow is: search attributes for lists, a board in Markdown for the one who looks at this run. */
export function publish(run: Run): void {
  setCurrentDetails(boardOf(run))
  publishAttributes(run)
}

/** Nothing personal, and no access codes: everybody who may look at flows sees this. */
function boardOf(run: Run): string {
  const { flow, caseNo, state, stage, since, deadline, shipments, refusals, result } = statusOf(run)
  const planned = run.course?.plan.stages.find(({ name }) => name === stage)
  const rows = shipments.map(({ role, shipmentUid, stateCode, pupUid, lockerName }) =>
    row(role, shipmentUid, stateCode, pupUid ?? '', lockerName ?? ''),
  )
  return [
    `### ${flow} ${plain(caseNo)}`,
    `**${result?.outcome ?? state}**${planned ? `: ${planned.name}. ${planned.summary}` : ''}`,
    `since ${since}${deadline === null ? '' : `, window passes ${deadline}`}`,
    ...(rows.length > 0
      ? ['', row('role', 'shipment', 'state', 'pick up point', 'locker'), '|---|---|---|---|---|']
      : []),
    ...rows,
    ...(refusals.length > 0 ? ['', '**Not believed, or failed**'] : []),
    ...refusals.slice(-newest).map(({ at, what }) => `- ${at} ${what}`),
    ...run.leftOver.map(({ shipmentUid, why }) => `- left over: ${shipmentUid}, ${why}`),
  ].join('\n')
}

function row(...cells: string[]): string {
  return `| ${cells.map(plain).join(' | ')} |`
}

/** Names come from elsewhere and must not become Markdown. */
function plain(text: string): string {
  return text.replaceAll(/[|<>\r\n`*_[\]]/g, ' ').slice(0, 100)
}
