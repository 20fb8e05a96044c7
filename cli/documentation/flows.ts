import { type ErrorCode, flowErrors, searchAttributes } from '#contract/terms'
import { type FlowDeclaration, flows, type Stage } from '#workflows/flows'
import { generated, table } from './markdown.ts'

/** docs/flows.md: how to talk to flows, and every flow from its declaration. */
export function flowsPage(): string {
  return `${[generated, introduction, ...Object.values<FlowDeclaration>(flows).flatMap(section), attributes(), failures()].join('\n\n')}\n`
}

function section({ name, summary, operation, roles, stages, handsBack, booking }: FlowDeclaration): string[] {
  const back = Object.entries(handsBack).map(([key, role]) => `\`${key}\` (the uid of ${role})`)
  return [
    `### ${name}`,
    `${summary} Booked by ${operation}, as ${Object.keys(roles).join(', ')}; given up after ${booking} without an answer.${back.length > 0 ? ` Hands back ${back.join(', ')}.` : ''}`,
    picture(name, stages),
    table(
      ['stage', 'what has to happen', 'reached', 'window', 'when it passes', 'cancelling cancels'],
      stages.map(stage => [
        stage.name,
        stage.summary,
        reached(stage),
        stage.window,
        stage.answer,
        stage.cancels.join(', ') || 'nothing',
      ]),
    ),
  ]
}

function picture(name: string, stages: readonly Stage[]): string {
  const steps = ['booking', ...stages.map(stage => stage.name), 'completed']
  const arrows = stages.flatMap((stage, index) => [
    `  ${stage.name} -->|${reached(stage)}| ${steps[index + 2]}`,
    ...(stage.answer === 'cancel' ? [`  ${stage.name} -.->|${stage.window} pass| expired`] : []),
    ...(stage.answer === 'cancel' ? [] : [`  ${stage.name} -.->|${stage.window} pass: ${stage.answer}| ${stage.name}`]),
  ])
  return [
    '```mermaid',
    'flowchart LR',
    `  start([${name}]) --> booking`,
    `  booking -->|booked| ${steps[1]}`,
    ...arrows,
    '```',
  ].join('\n')
}

function reached({ reached }: Stage): string {
  return Object.entries(reached)
    .map(([role, state]) => `${role} ${state}`)
    .join(', ')
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

const example = `All overdue issues at a pick up point are one query:
\`LockerflowFlow = 'issue' AND LockerflowOverdue = true AND LockerflowPickUpPoint = 'pup-1'\`.`

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
| update \`booked\` | waits for the booking: \`{ flow, caseNo, shipments }\`, or the failure that the flow fails with. Optional argument \`{ flow, fingerprint }\`: the SHA-256 of the request's canonical JSON; another one is \`CaseInUse\`. At most five callers wait at a time, the next are told \`BookingPending\` |
| update \`cancel\` | \`{ reason }\`; answers \`{ outcome, leftOver }\` once clean-up is done. The Web UI's cancel button does the same |
| update \`decide\` | \`{ decision: "extend" \\| "cancel" \\| "keepWaiting", by?: "24h" }\` after a window has passed; answers the status |
| query \`status\` | \`flow, caseNo, state, stage, overdue, since, deadline, shipments, refusals, result\` |
| signal \`shipmentStatus\` | a verified callback; the gateway sends it |

Start with *update with start* of \`booked\`, conflict policy use-existing, reuse policy allow-duplicate-failed-only: a
case number then makes the start idempotent, for as long as the namespace keeps closed workflows.
Cancelling cancels only what the flow booked and nobody has put an item into; the rest is reported as left over.

## The flows there are`
