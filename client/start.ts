import {
  type Client,
  type WithStartWorkflowOperation as StartOperation,
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
} from '@temporalio/client'
import { findCase, isSameCase, type KnownCase } from '#client/cases'
import { fingerprint } from '#contract/casing'
import { describeDifference } from '#contract/terms'
import { findDeclaration, searchAttributes, toFlowPriority, toStarterView, toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import * as messages from '#flows/messages'
import {
  businessErrorIn,
  defaultTimeout,
  isStartRepeated,
  isTimeout,
  isTransient,
  orRefusal,
  retryUpdate,
  withGraceTimeout,
} from './calls.ts'
import { askTemporal, findMissingResponse } from './causes.ts'
import { describeFlow } from './description.ts'
import type { InputOf, NameOf, ShipmentOf } from './flowTypes.ts'
import { findInvalidInput } from './input.ts'
import { toCodedMessage } from './refusals.ts'
import type { Booked, BookingPending, CaseFinished, CaseInUse, Refused, Started } from './results.ts'
import type { FlowWorkflow, WaitOptions } from './types.ts'

const caseKey = { name: searchAttributes.caseNo.name, type: 'KEYWORD' } as const
const flowKey = { name: searchAttributes.flow.name, type: 'KEYWORD' } as const

export interface AnyInput {
  readonly caseNo: string
  readonly request: unknown
  readonly windows?: Readonly<Record<string, unknown>> | undefined
}

export interface StartTarget<Own extends FlowDeclaration> {
  readonly client: Client
  readonly taskQueue: string
  readonly flows: readonly Own[]
}

/** Implements `FlowClient.start`. */
export async function start<Own extends FlowDeclaration, Name extends NameOf<Own>>(
  target: StartTarget<Own>,
  flow: Name,
  input: InputOf<Name, Own>,
): Promise<Started | CaseInUse | CaseFinished<Name, Own> | Refused> {
  const { client } = target
  const { caseNo } = input
  const invalid = findInvalidInput(findOwn(target, flow), input)
  if (invalid !== undefined) return invalid
  try {
    const { firstExecutionRunId } = await client.workflow.start(flow, optionsOf(target, flow, input))
    return { kind: 'Started', caseNo, runId: firstExecutionRunId, isNew: true }
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
  }
  const known = await findCase(client, caseNo)
  // It was deleted in between, or has failed and can be started again.
  if (known === undefined || !(known.running || known.status === 'COMPLETED')) return start(target, flow, input)
  if (!known.running) return toEndedCase(client, known, flow, input)
  if (!isSameCase(known, flow, input.request)) return toCaseInUse(known, flow, input)
  return { kind: 'Started', caseNo, runId: known.runId, isNew: false }
}

/** Implements `FlowClient.startAndWaitForBooking`. */
export async function startAndWaitForBooking<Own extends FlowDeclaration, Name extends NameOf<Own>>(
  target: StartTarget<Own>,
  flow: Name,
  input: InputOf<Name, Own>,
  { timeout = defaultTimeout }: WaitOptions = {},
): Promise<Booked<Name, Own> | BookingPending | CaseInUse | CaseFinished<Name, Own> | Refused> {
  const { client, taskQueue } = target
  const { caseNo, request } = input
  const invalid = findInvalidInput(findOwn(target, flow), input)
  if (invalid !== undefined) return invalid
  const expected = { flow, fingerprint: fingerprint(request) }
  // An operation can be used for one call only.
  const operation = (): StartOperation<() => Promise<unknown>> =>
    new WithStartWorkflowOperation(flow, {
      ...optionsOf(target, flow, input),
      workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
    })
  try {
    const booking = await retryUpdate({ client, caseNo }, timeout, updateId =>
      client.workflow.executeUpdateWithStart(messages.waitForBooking, {
        startWorkflowOperation: operation(),
        args: [expected],
        updateId,
      }),
    )
    // The flow compared its name and request with `expected`, so the roles are its own.
    return { kind: 'Booked', ...booking, shipments: booking.shipments as ShipmentOf<Name, Own>[] }
  } catch (error) {
    const refusal = businessErrorIn(error)
    if (refusal?.code === 'CaseInUse') {
      // The flow compares fingerprints. Its first event has the request.
      const running = await withGraceTimeout(client, () => findCase(client, caseNo))
      return running ? toCaseInUse(running, flow, input) : caseInUse(caseNo, refusal.message)
    }
    if (refusal?.code === 'BookingPending') {
      return { kind: 'BookingPending', caseNo, ...toCodedMessage('BookingPending', refusal.message) }
    }
    if (refusal !== undefined) return refusal
    const hasStarted = error instanceof WorkflowExecutionAlreadyStartedError || isStartRepeated(error)
    const mayRun = hasStarted || isTimeout(error) || isTransient(error)
    const known = mayRun ? await askTemporal(client, () => findCase(client, caseNo)) : undefined
    if (known === undefined) throw error
    // Other errors do not tell whether a failed flow is the caller's or one before it.
    if (!known.running && (hasStarted || known.status === 'COMPLETED')) return toEndedCase(client, known, flow, input)
    return { kind: 'BookingPending', caseNo, ...(await findMissingResponse(client, caseNo, taskQueue)) }
  }
}

export interface StartedOn {
  readonly taskQueue: string
  readonly declaration: FlowDeclaration | undefined
  /** The declaration is the caller's: a worker with another one refuses the start. */
  readonly compares: boolean
}

/** The options with which flows are started. The case number is unique among running and completed flows. */
export function toStartOptions({ taskQueue, declaration, compares }: StartedOn, flow: string, input: AnyInput) {
  const compared = compares && declaration !== undefined
  return {
    workflowId: toWorkflowId(input.caseNo),
    taskQueue,
    args: [compared ? { ...input, declaration: fingerprint(toStarterView(declaration)) } : input],
    workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
    priority: toFlowPriority(flow, input.request),
    typedSearchAttributes: [
      { key: caseKey, value: input.caseNo },
      { key: flowKey, value: flow },
    ],
    ...describeFlow(declaration, input.windows),
  }
}

function optionsOf<Own extends FlowDeclaration>(target: StartTarget<Own>, flow: string, input: AnyInput) {
  const own = findOwn(target, flow)
  const declaration = own ?? findDeclaration(flow)
  return toStartOptions({ taskQueue: target.taskQueue, declaration, compares: own !== undefined }, flow, input)
}

function findOwn<Own extends FlowDeclaration>({ flows }: StartTarget<Own>, flow: string): Own | undefined {
  return flows.find(({ name }) => name === flow)
}

/** The result of starting a case whose flow has ended. */
async function toEndedCase<Own extends FlowDeclaration, Name extends NameOf<Own>>(
  client: Client,
  known: KnownCase,
  flow: Name,
  input: InputOf<Name, Own>,
): Promise<CaseInUse | CaseFinished<Name, Own> | Refused> {
  if (!isSameCase(known, flow, input.request)) return toCaseInUse(known, flow, input)
  const handle = client.workflow.getHandle<FlowWorkflow<Name, Own>>(toWorkflowId(input.caseNo), known.runId)
  return orRefusal(async () => ({ kind: 'CaseFinished', result: await handle.result() }))
}

/** The refusal of a case number that another request or another flow uses. */
export function toCaseInUse(known: KnownCase, flow: string, { caseNo, request }: AnyInput): CaseInUse {
  const message =
    known.flow === flow
      ? `The case number is in use by another request: ${describeDifference(known.input.request, request)}.`
      : `The case number is in use by the flow ${known.flow}.`
  return caseInUse(caseNo, message)
}

function caseInUse(caseNo: string, message: string): CaseInUse {
  return { kind: 'CaseInUse', caseNo, ...toCodedMessage('CaseInUse', message) }
}
