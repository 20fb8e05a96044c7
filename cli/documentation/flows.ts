import { cancellableIn } from '#activities'
import { type ErrorCode, flowErrors } from '#contract/terms'
import { allSteps, type FlowDeclaration, flows, rolesOf, searchAttributes } from '#flows'
import { flowDiagram } from '#flows/check'
import type { BookStep, Step, WaitStep } from '#flows/declaration'
import { accountSection, describeVersioning } from './accountFlows.ts'
import { toField, toFlags, waitsOf } from './flags.ts'
import { flowsOverHttp } from './flowsOverHttp.ts'
import { generated, table } from './markdown.ts'
import { notifications } from './notifications.ts'
import { sweeping } from './sweep.ts'

/** docs/reference/flows.md: how to talk to flows, and every flow from its declaration. */
export function flowsPage(declared: Readonly<Record<string, FlowDeclaration>> = flows): string {
  const parts = [
    generated,
    introduction,
    ...Object.values(declared).flatMap(flow => bookingSection(flow) ?? []),
    accountIntroduction,
    ...Object.values(declared).flatMap(flow => (bookingSection(flow) === undefined ? accountSection(flow) : [])),
    notifications,
    flowsOverHttp(),
    sweeping,
    attributes(),
    failures(),
  ]
  return `${parts.join('\n\n')}\n`
}

/** Undefined for a flow that does not begin with a booking. */
function bookingSection(flow: FlowDeclaration): string[] | undefined {
  const { name, summary, steps, outputs = {} } = flow
  const booking: Step | undefined = steps[0]
  if (booking === undefined || !('book' in booking)) return undefined
  const { book, window = '1h' }: BookStep = booking
  const back = Object.entries(outputs).map(([field, path]) => `\`${field}\` (the uid of ${String(path).split('.')[0]})`)
  const cancellable = new Map(toFlags(flow).flatMap(flags => [...cancellableIn(flow, flags)]))
  return [
    `### ${name}`,
    summary,
    `Operation ${book}, roles ${Object.keys(rolesOf(flow)).join(', ')}, booking window ${window}.${back.length > 0 ? ` The result has ${back.join(', ')}.` : ''} ${describeVersioning(flow)}`,
    flowDiagram(flow),
    table(
      ['stage', 'action', 'complete when', 'window', 'on timeout', 'locker out of service', 'cancelled by clean-up'],
      waitsOf(flow).map(step => [
        `${step.name}${condition(step)}`,
        step.summary,
        reached(step),
        String(step.window ?? 'none'),
        String(step.onTimeout ?? 'never'),
        step.onLockerOutOfService ?? 'remind',
        cancellable.get(step)?.join(', ') || 'nothing',
      ]),
    ),
    ...otherSteps(flow),
  ]
}

/** The steps after the booking that wait for no shipment. */
function otherSteps({ steps }: FlowDeclaration): string[] {
  const others = allSteps(steps).filter((step, index) => index > 0 && !('wait' in step))
  if (others.length === 0) return []
  return [
    table(
      ['other step', 'action', 'declared as'],
      others.map(step => [step.name, step.summary, `\`${JSON.stringify(withoutSteps(step))}\``]),
    ),
  ]
}

function withoutSteps(step: Step): object {
  const { name: _, summary: _summary, ...rest } = step
  const names = (list: readonly Step[]) => list.map(({ name }) => name)
  return JSON.parse(
    JSON.stringify(rest, (key, value) =>
      (key === 'steps' || key === 'group') && Array.isArray(value) ? names(value as Step[]) : (value as unknown),
    ),
  )
}

function condition({ when = {} }: WaitStep): string {
  const fields = Object.entries(when).map(([path, wanted]) => `${wanted ? '' : 'without '}${toField(path)}`)
  return fields.length > 0 ? `, ${fields.join(', ')}` : ''
}

function reached({ wait }: WaitStep): string {
  return Object.entries(wait)
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

const example = `\`LockerflowSteps\` has the names of the steps at which the flow stands: several in a flow whose branches run at once, and
\`LockerflowSteps = 'pickUp'\` finds each of them. A flow gets \`LockerflowOutcome\` (completed, cancelled, expired or failed) and
\`LockerflowLeftOver\` when it ends; one that was terminated or timed out has neither. A closed flow keeps its other last values:
\`LockerflowSteps = 'dropOff' AND ExecutionStatus = 'Completed'\` finds flows that ended in that step. For all overdue issues at a pick up point that still run, use
\`LockerflowFlow = 'issue' AND LockerflowOverdue = true AND LockerflowPickUpPoint = 'pup-1' AND ExecutionStatus = 'Running'\`.
[Look after flows](../how-to/look-after-flows.md) has more queries.`

function failures(): string {
  const rows = (Object.keys(flowErrors) as (ErrorCode & keyof typeof flowErrors)[]).map(code => [
    `[\`${code}\`](errors.md#${code.toLowerCase()})`,
    flowErrors[code].meaning,
  ])
  return [
    '## Failures',
    'The type of a failed flow or a rejected update is a code: one of these, or a refusal of the service.',
    table(['code', 'meaning'], rows),
  ].join('\n\n')
}

const introduction = `# Flows

A flow is one Temporal workflow. It plans, books lockers, waits stage by stage for people to open them, watches the clock,
and cleans up. Each flow is declared as data in \`flows/\`, and one interpreter runs them all.

## Messages

Any Temporal client in any language can start a flow and talk to it. [examples](../../examples/README.md) has programs in
Python, Go and TypeScript.

| | |
|---|---|
| workflow type | the name of the flow |
| workflow id | \`case:\` and the case number |
| task queue | \`lockerflow\` |
| input | \`{ caseNo, request, windows? }\`. The case number has 1 to 60 characters. The request is that of the create operation as the specification spells it; the flow fills every ReferenceCaseNo. Windows map stages to durations, such as \`{ "pickUp": "48h", "booking": "30m" }\`. In production, a window in which people act has at least a minute. Another field is \`InvalidFlowInput\` |
| priority | \`priorityKey\` 2, and the uid of the pick up point, or without one the name of the flow, as \`fairnessKey\` ([priorities](../how-to/operate.md#priorities)). The client of this project sets both, and a starter with another SDK sets them itself |
| result | \`{ flow, caseNo, outcome, shipments, leftOver }\` and the outputs of the flow. \`outcome\` is completed, cancelled or expired |
| update \`waitForBooking\` | waits for the booking and returns \`{ flow, caseNo, shipments }\`, or fails as the flow does. For a flow without a step that books it returns at the end, so a program that answers such a flow starts it without this update. Optional argument \`{ flow, request }\`: the expected flow and request; a running flow with another one rejects it with \`CaseInUse\`. Other fields are rejected with \`InvalidFlowInput\`. A \`fingerprint\` of the request may replace the request. At most five callers wait at a time; further ones get \`BookingPending\` |
| update \`cancel\` | optional \`{ reason }\`, a text of 1 to 500 characters. Another argument is rejected with \`InvalidFlowInput\`. Returns \`{ outcome, leftOver }\` after clean-up. The Web UI's cancel button has the same effect |
| update \`decide\` | \`{ decision: "extend" \\| "cancel" \\| "keepWaiting", by?: "24h", notification? }\` for an overdue flow. \`extend\` starts another window, of \`by\` or of the declared length, and no other decision has \`by\`. \`keepWaiting\` waits without a window. \`cancel\` ends the flow with clean-up. With the \`webhook-id\` of a notification, a decision about an earlier one is rejected. Returns the status |
| update \`answer\` | \`{ step, answer, fields?, by? }\`: answers a question of a [flow of your own](../how-to/declare-a-flow.md). \`asks\` of the status names the step, its answers and their fields. Returns \`{ step, answer, fields, by, answeredAt }\`, even when the same answer is repeated. Rejected with \`NotAskedYet\`, \`AlreadyAnswered\` or \`InvalidFlowInput\` |
| update \`moveClock\` | \`{ ahead }\`, in milliseconds: for flows of a test in staging, see [test your flows](../how-to/test-your-flows.md). Others reject it with \`ClockFixed\` |
| query \`status\` | returns \`flow, caseNo, state, stage, step, asks, overdue, overdueSince, since, deadline, shipments, rejections, result, failure\`. \`stage\` and \`step\` are the same name, \`asks\` is \`{ step, answers, who }\` while the flow asks. \`overdueSince\` is when the window first passed, and \`deadline\` then the next reminder. \`result\` is null before the end, and for a flow that failed. \`failure\` is \`{ code, message, serviceRequestId?, leftOver }\` for a flow that failed, and null otherwise. Optional argument \`{ outputs?, picture?, questions? }\`, each true to add that field |
| signal \`shipmentStatus\` | a callback that the gateway has verified, or the change of a locker that it has read. Other clients must not send it |

All names are case-sensitive. Programs in Go need JSON tags, since Go writes the names of its fields in capitals. Values are JSON
payloads, encrypted if [histories are](../how-to/replace-keys.md#starters-in-other-languages).

Start a flow by *update with start* of \`waitForBooking\` with the conflict policy use-existing and the reuse policy
allow-duplicate-failed-only. Starts are then idempotent by case number, for as long as the namespace keeps closed
workflow executions: a start of a case that its retention has deleted books again. Static summary and details in the Web UI come from the
starter (\`static_summary\` in Python, \`StaticSummary\` in Go). Current details and search attributes come from the flow.

A start of a case that has completed fails as already started: \`WorkflowAlreadyStartedError\` in Python,
\`WorkflowExecutionAlreadyStarted\` in Go, and a \`WorkflowServiceException\` with the status \`ALREADY_EXISTS\` in Java,
which is \`WorkflowExecutionAlreadyStarted\` for a start without an update. The result of the workflow is then that of the
case. A failed flow is started again. A flow that has ended answers queries, but rejects updates with \`NOT_FOUND\`, without
a code.

The query of a flow that was terminated or timed out returns its last state, such as \`waiting\`. Describe the workflow execution to know
whether it runs, or query with the reject condition not-open. A query fails with the status \`FAILED_PRECONDITION\` while no worker
polls. Before the first workflow task of a flow that was started with a delay, the details of this error are a
\`WorkflowNotReadyFailure\`, which Go returns as \`serviceerror.WorkflowNotReady\`. Retry the query later.

The error of an update that the flow rejects or fails, and of the result of a flow that failed, has an application failure as its
cause. Its type is the code of the [errors](errors.md):

| SDK | error of an update | error of a result | code |
|---|---|---|---|
| Python | \`WorkflowUpdateFailedError\` | \`WorkflowFailureError\` | \`type\` of \`error.cause\`, an \`ApplicationError\` |
| Go | any | any | \`Type()\` of the \`*temporal.ApplicationError\` that \`errors.As\` finds |
| Java | \`WorkflowUpdateException\` | \`WorkflowFailedException\` | \`getType()\` of \`getCause()\`, an \`ApplicationFailure\` |

Start a flow without a cron schedule, an execution timeout or a run timeout. A timeout ends the flow as a termination does:
without clean-up, and its lockers stay booked. A cron schedule books again when the flow has ended, even if a person has
cancelled it.

Keep the argument of an update below 256 KiB, as the client and the flow API do. Temporal terminates a workflow whose update exceeds
2 MB. The flow then ends without clean-up, and its lockers stay booked until a [sweep](#sweep) cancels their shipments.

When a locker of a flow goes out of service, the gateway informs the flow within 15 seconds. The flow applies the policy of
its stage once: \`remind\` sends the notification \`flow.outOfService\`, \`ask\` also waits for \`decide\` as an overdue flow
does, and \`cancel\` ends the flow with clean-up. When all its lockers work again, the flow withdraws a question that nobody
has decided, and the window starts again.

A cancellation cancels only shipments that the flow booked and that hold no item. The result lists the others in \`leftOver\`.

## Booking flows`

const accountIntroduction = `## Account flows

These flows book nothing. They have the same workflow ids, input and messages. Their result has no shipments, and the
fields below besides \`outcome\`; a field is null as long as its step has no result. \`waitForBooking\` returns when they are
done, as for any flow without a step that books. Windows map steps to durations, such as \`{ "account": "30m" }\`.`
