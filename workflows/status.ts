import type {
  FlowFailure,
  FlowPicture,
  FlowPlan,
  FlowShipment,
  FlowStatus,
  OpenQuestion,
  Question,
  StatusOptions,
} from '#flows'
import { toPicture } from '#flows/pictureOfRun'
import { type FlowContext, listLeftOver } from './context.ts'
import { bookingCancelled, toFailureText } from './failures.ts'
import { currentStep, isIn, type ShipmentProgress } from './progress.ts'

/** The result of the query `status`. */
export function toStatus(flow: FlowContext, options?: StatusOptions | null): FlowStatus {
  const { name, input, progress, state, result, runtime } = flow
  const inStep = state === 'waiting' || state === 'overdue'
  const step = inStep && progress !== undefined ? (currentStep(progress)?.name ?? null) : null
  return {
    flow: name,
    caseNo: input?.caseNo ?? '',
    state,
    stage: step,
    step,
    asks: findQuestion(flow),
    overdue: state === 'overdue',
    overdueSince: progress?.overdueSince === undefined ? null : new Date(progress.overdueSince).toISOString(),
    since: new Date(progress?.since ?? runtime.now()).toISOString(),
    deadline: state !== 'ended' && progress?.deadline ? new Date(progress.deadline).toISOString() : null,
    shipments: toFlowShipments(progress?.shipments ?? []),
    rejections: progress?.rejections ?? [],
    result: result ?? null,
    failure: state === 'ended' && result === undefined ? toFailure(flow) : null,
    ...(options?.outputs === true && { outputs: progress?.outputs ?? {} }),
    ...(options?.picture === true && { picture: findPicture(flow) }),
    ...(options?.questions === true && progress !== undefined && { questions: toQuestions(progress.plan) }),
  }
}

function toFailure(flow: FlowContext): FlowFailure {
  const { type: code, message, requestId } = toFailureText(flow.failure ?? bookingCancelled())
  return {
    code,
    message,
    ...(requestId !== undefined && { serviceRequestId: requestId }),
    leftOver: listLeftOver(flow),
  }
}

function toQuestions({ steps }: FlowPlan): Question[] {
  return steps.flatMap(step => (step.kind === 'ask' ? [{ step: step.name, who: step.who }] : []))
}

/** The question that the flow asks now. */
export function findQuestion({ state, progress }: FlowContext): OpenQuestion | null {
  const step =
    progress !== undefined && (state === 'waiting' || state === 'overdue') ? currentStep(progress) : undefined
  if (progress === undefined || step?.kind !== 'ask' || !isIn(progress, step)) return null
  if (progress.answered[step.name] !== undefined) return null
  return { step: step.name, answers: step.answers, who: step.who }
}

/** The shipments in their public form. */
export function toFlowShipments(shipments: readonly ShipmentProgress[]): FlowShipment[] {
  return shipments.map(({ stateStart: _, ...shipment }) => shipment)
}

/** The picture of the run; null before its plan. */
export function findPicture({ progress, state, result, failure }: FlowContext): FlowPicture | null {
  if (progress === undefined) return null
  const { plan, way = [], step, entered, since, deadline, ending } = progress
  const hasEnded = state === 'ended' || ending !== undefined || step >= plan.steps.length
  const hasFailed = failure !== undefined || ending?.outcome === 'failed'
  return toPicture({
    plan,
    way,
    step,
    hasEnded,
    since: entered ? since : null,
    deadline: hasEnded ? null : deadline,
    overdue: state === 'overdue',
    outcome: result?.outcome ?? (hasFailed ? 'failed' : null),
  })
}
