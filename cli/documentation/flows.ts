import { type ErrorCode, flowErrors, searchAttributes } from '#contract/terms'
import {
  type FlowDeclaration,
  flows,
  lifetimeOf,
  type PlainDeclaration,
  plainFlows,
  type Stage,
} from '#workflows/flows'
import { flowPicture, plainPicture } from './flowPicture.ts'
import { generated, table } from './markdown.ts'
import { notices, sweeping } from './noticesAndSweep.ts'

/** docs/flows.md: how to talk to flows, and every flow from its declaration. */
export function flowsPage(declared: Readonly<Record<string, FlowDeclaration>> = flows): string {
  const parts = [
    generated,
    introduction,
    ...Object.values(declared).flatMap(section),
    plainIntroduction,
    ...Object.values<PlainDeclaration>(plainFlows).flatMap(plainSection),
    notices,
    sweeping,
    attributes(),
    failures(),
  ]
  return `${parts.join('\n\n')}\n`
}

function section(flow: FlowDeclaration): string[] {
  const { name, summary, operation, roles, stages, handsBack, booking } = flow
  const back = Object.entries(handsBack).map(([key, role]) => `\`${key}\` (the uid of ${role})`)
  return [
    `### ${name}`,
    `${summary} Booked by ${operation}, as ${Object.keys(roles).join(', ')}; given up after ${booking} without an answer.${back.length > 0 ? ` Hands back ${back.join(', ')}.` : ''} ${lived(flow)}`,
    flowPicture(flow),
    table(
      ['stage', 'what has to happen', 'reached', 'window', 'when it passes', 'cancelling cancels'],
      stages.map(stage => [
        `${stage.name}${condition(stage)}`,
        stage.summary,
        reached(stage),
        stage.window ?? 'none',
        stage.answer ?? 'never',
        stage.cancels.join(', ') || 'nothing',
      ]),
    ),
  ]
}

function plainSection(flow: PlainDeclaration): string[] {
  const { name, summary, operation, adds, booking, steps } = flow
  const added = adds.length > 0 ? `, with ${adds.map(field => `\`${field}\``).join(', ')} beside it` : ''
  return [
    `### ${name}`,
    `${summary} The request is that of ${operation}${added}, and its answer is in the result; given up after ${booking} without an answer. ${lived(flow)}`,
    plainPicture(flow),
    table(
      ['step', 'what is done', 'only if'],
      steps.map(step => [step.name, step.summary, step.onlyIf ?? '']),
    ),
  ]
}

/** What becomes of it when another build of the worker is promoted. */
function lived(flow: FlowDeclaration | PlainDeclaration): string {
  return lifetimeOf(flow) === 'short'
    ? 'Short: it ends on the build of the worker that it began on.'
    : 'Long: it moves to the current build of the worker.'
}

function condition({ when = {} }: Stage): string {
  const fields = Object.entries(when).map(([field, wanted]) => `${wanted ? '' : 'without '}${field}`)
  return fields.length > 0 ? `, ${fields.join(', ')}` : ''
}

function reached({ reached, order }: Stage): string {
  const levels = Object.entries(reached).map(([role, state]) => `${role} ${state}`)
  const ordered = order === undefined ? '' : order.update === 'release' ? '`release`, or ' : `by \`${order.update}\`: `
  return ordered + levels.join(', ')
}

function attributes(): string {
  return [
    '## Search attributes',
    table(
      ['name', 'type'],
      Object.values(searchAttributes).map(({ name, type }) => [`\`${name}\``, type]),
    ),
    example,
  ].join('\n\n')
}

const example = `A flow that has ended keeps where it was last: \`LockerflowStage = 'dropOff' AND ExecutionStatus = 'Completed'\` finds
those that came no further. All overdue issues at a pick up point that still run are one query; more of them, and what the
Web UI shows, in [web-ui.md](web-ui.md):
\`LockerflowFlow = 'issue' AND LockerflowOverdue = true AND LockerflowPickUpPoint = 'pup-1' AND ExecutionStatus = 'Running'\`.`

function failures(): string {
  const rows = (Object.keys(flowErrors) as (ErrorCode & keyof typeof flowErrors)[]).map(code => [
    `\`${code}\``,
    flowErrors[code].meaning,
  ])
  return [
    '## Failures',
    "The type of a failed flow or refused update is a code: one of these, or the service's own refusal.",
    table(['code', 'meaning'], rows),
  ].join('\n\n')
}

const introduction = `# Flows

A flow is one Temporal workflow. It plans, books, waits stage by stage for people to open lockers, watches the clock,
and cleans up. It is declared as data in \`workflows/flows\`, and one interpreter runs them all.

## Talking to a flow, in any language

| | |
|---|---|
| workflow type | the name of the flow |
| workflow id | \`case:\` and the case number |
| task queue | \`lockerflow\` |
| input | \`{ caseNo, request, windows? }\`: the case number (1 to 60 characters), the create operation's request as the specification spells it (the flow fills every ReferenceCaseNo), and windows by stage such as \`{ "pickUp": "48h", "booking": "30m" }\` |
| result | \`{ flow, caseNo, outcome, shipments, leftOver }\` and what the flow hands back; \`outcome\` is completed, cancelled or expired |
| update \`booked\` | waits for the booking: \`{ flow, caseNo, shipments }\`, or the failure that the flow fails with. Optional argument \`{ flow, request }\`: what the caller believes to have started, the request as in the input; another one is \`CaseInUse\`. In place of the request its \`fingerprint\`, as our client has it. At most five callers wait at a time, the next are told \`BookingPending\` |
| update \`cancel\` | \`{ reason }\`; answers \`{ outcome, leftOver }\` once clean-up is done. The Web UI's cancel button does the same |
| update \`decide\` | \`{ decision: "extend" \\| "cancel" \\| "keepWaiting", by?: "24h" }\` after a window has passed; answers the status |
| update \`assignReceiver\` | \`{ toUserUid }\`: names who collects the shipment, in a flow that waits for it, from the booking until it is ReadyForPickup. Answers the status once the service has accepted; a refusal of the service is the failure of the update, with its code |
| update \`release\` | no argument: ends a booking that is kept (KeepBookedAfterPickUp) by cancelling its shipment. Answers \`{ outcome, leftOver }\` once its locker is free; the outcome is completed |
| query \`status\` | \`flow, caseNo, state, stage, overdue, since, deadline, shipments, refusals, result\` |
| signal \`shipmentStatus\` | a verified callback; the gateway sends it |

Start with *update with start* of \`booked\`, conflict policy use-existing, reuse policy allow-duplicate-failed-only: a
case number then makes the start idempotent, for as long as the namespace keeps closed workflows.
Summary and details on the left of the Web UI are the starter's to say (\`static_summary\` in Python, \`StaticSummary\` in
Go); board and search attributes are the flow's own, whoever started it.
Cancelling cancels only what the flow booked and nobody has put an item into; the rest is reported as left over.

## The flows there are`

const plainIntroduction = `## Flows that book nothing

Workflows of their own, with the same workflow ids, input and messages. Their result is that of a flow without
shipments, with the fields of the operation's answer beside \`outcome\`; \`booked\` answers when they are done.`
