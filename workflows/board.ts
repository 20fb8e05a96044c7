import { setCurrentDetails, upsertSearchAttributes } from '@temporalio/workflow'
import { searchAttributes } from '#contract/terms'
import { type Run, statusOf } from './run.ts'

type Pairs = Exclude<Parameters<typeof upsertSearchAttributes>[0], Record<string, unknown>>

/** What was written to visibility last, by run: only what changed is written, since each write is an event. */
const written = new WeakMap<Run, Map<string, string>>()

/** Shows where the flow is: search attributes for lists, a board in Markdown for the one who looks at this run. */
export function publish(run: Run): void {
  setCurrentDetails(boardOf(run))
  const before = written.get(run) ?? new Map<string, string>()
  written.set(run, before)
  const changed = attributesOf(run).filter(({ key, value }) => before.get(key.name) !== JSON.stringify(value))
  if (changed.length === 0) return
  for (const { key, value } of changed) before.set(key.name, JSON.stringify(value))
  upsertSearchAttributes(changed)
}

function attributesOf(run: Run): Pairs {
  const { flow, caseNo, state, stage, shipments, overdue } = statusOf(run)
  const plan = run.course?.plan
  return [
    keyword('caseNo', caseNo),
    keyword('flow', flow),
    keyword('state', state),
    ...(stage === null ? [] : [keyword('stage', stage)]),
    ...optional('pickUpPoint', shipments[0]?.pupUid ?? plan?.pickUpPoint),
    ...optional('user', plan?.user),
    ...(shipments.length === 0
      ? []
      : [
          {
            key: { name: searchAttributes.shipments.name, type: 'KEYWORD_LIST' as const },
            value: shipments.map(({ shipmentUid }) => shipmentUid),
          },
        ]),
    ...(state === 'booking'
      ? []
      : [{ key: { name: searchAttributes.overdue.name, type: 'BOOL' as const }, value: overdue }]),
  ]
}

function keyword(attribute: keyof typeof searchAttributes, value: string) {
  return { key: { name: searchAttributes[attribute].name, type: 'KEYWORD' as const }, value }
}

function optional(attribute: keyof typeof searchAttributes, value: string | null | undefined) {
  return value === null || value === undefined ? [] : [keyword(attribute, value)]
}

/** Nothing personal, and no access codes: everybody who may look at flows sees this. */
function boardOf(run: Run): string {
  const { flow, caseNo, state, stage, since, deadline, shipments, refusals, result } = statusOf(run)
  const planned = run.course?.plan.stages.find(({ name }) => name === stage)
  return [
    `### ${flow} ${caseNo}`,
    `**${result?.outcome ?? state}**${planned ? `: ${planned.name}. ${planned.summary}` : ''}`,
    `since ${since}${deadline === null ? '' : `, window passes ${deadline}`}`,
    ...(shipments.length === 0
      ? []
      : ['', '| role | shipment | state | pick up point | locker |', '|---|---|---|---|---|']),
    ...shipments.map(
      ({ role, shipmentUid, stateCode, pupUid, lockerName }) =>
        `| ${role} | ${shipmentUid} | ${stateCode} | ${pupUid ?? ''} | ${lockerName ?? ''} |`,
    ),
    ...(refusals.length === 0
      ? []
      : ['', '**Not believed, or failed**', ...refusals.slice(-5).map(({ at, what }) => `- ${at} ${what}`)]),
    ...run.leftOver.map(({ shipmentUid, why }) => `- left over: ${shipmentUid}, ${why}`),
  ].join('\n')
}
