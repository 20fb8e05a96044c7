import type {
  FlowFailure,
  FlowPicture,
  FlowPlan,
  FlowShipment,
  FlowStatus,
  OpenQuestion,
  PlannedStep,
  Question,
  StatusOptions,
} from '#flows'
import { toPicture } from '#flows/pictureOfRun'
import { type FlowContext, listLeftOver, stateOf } from './context.ts'
import { bookingCancelled, toFailureText } from './failures.ts'
import { deadlineOf, findLine, questionAt, toLines } from './lines.ts'
import { type FlowProgress, type ShipmentProgress, stepOf } from './progress.ts'
import { isOverdue } from './tokens.ts'

/** The result of the query `status`. */
export function toStatus(flow: FlowContext, options?: StatusOptions | null): FlowStatus {
  const { name, input, progress, result, runtime } = flow
  const state = stateOf(flow)
  const line = progress && findLine(progress)
  const step = findStep(flow)?.name ?? null
  const deadline = progress && line && deadlineOf(progress, line)
  const lines = progress && step !== null ? toLines(progress) : undefined
  return {
    flow: name,
    caseNo: input?.caseNo ?? '',
    state,
    stage: step,
    step,
    asks: findQuestion(flow),
    overdue: state === 'overdue',
    overdueSince: state === 'overdue' && line?.overdueSince !== undefined ? toMoment(line.overdueSince) : null,
    since: toMoment(line?.since ?? runtime.now()),
    deadline: state !== 'ended' && deadline ? toMoment(deadline) : null,
    shipments: toFlowShipments(progress?.lockers.shipments ?? []),
    ...(lines && { lines }),
    rejections: progress?.rejections ?? [],
    result: result ?? null,
    failure: state === 'ended' && result === undefined ? toFailure(flow) : null,
    ...(options?.outputs === true && { outputs: progress?.outputs ?? {} }),
    ...(options?.picture === true && { picture: findPicture(flow) }),
    ...(options?.questions === true && progress !== undefined && { questions: toQuestions(progress.plan) }),
  }
}

function toMoment(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
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

/** The step that people see first; undefined before the first booking, and for a flow that ends. */
export function findStep(flow: FlowContext): PlannedStep | undefined {
  const { progress } = flow
  const state = stateOf(flow)
  if (progress === undefined || (state !== 'waiting' && state !== 'overdue')) return undefined
  return stepOf(progress, findLine(progress))
}

/** The question that the flow asks now: that of the first line. */
export function findQuestion(flow: FlowContext): OpenQuestion | null {
  const { progress } = flow
  return progress === undefined || findStep(flow) === undefined ? null : questionAt(progress, findLine(progress))
}

/** The shipments in their public form. */
export function toFlowShipments(shipments: readonly ShipmentProgress[]): FlowShipment[] {
  return shipments.map(({ stateStart: _, undone: _undone, ...shipment }) => shipment)
}

/** The picture of the run; null before its plan. */
export function findPicture({ progress, hasEnded: isOver, result, failure }: FlowContext): FlowPicture | null {
  if (progress === undefined) return null
  const { plan, way = [], ending } = progress
  const line = findLine(progress)
  const { step, entered, since, deadline } = line
  const hasEnded = isOver || ending !== undefined || step >= plan.steps.length
  const hasFailed = failure !== undefined || ending?.outcome === 'failed'
  return toPicture({
    plan,
    way,
    step,
    ...(progress.tokens.length > 1 && { current: progress.tokens.map(token => token.step), loops: loopsOf(progress) }),
    hasEnded,
    since: entered ? since : null,
    deadline: hasEnded ? null : deadline,
    overdue: !hasEnded && isOverdue(line),
    outcome: result?.outcome ?? (hasFailed ? 'failed' : null),
  })
}

/** The loops that run, by the indexes of their steps. */
function loopsOf({ plan, tokens }: FlowProgress) {
  return new Map(
    tokens.flatMap(({ step: index, block }) => {
      const step = plan.steps[index]
      if (block === undefined || (step?.kind !== 'forEach' && step?.kind !== 'repeat')) return []
      return [[index, { ended: block.ended.length, of: block.keys?.length ?? step.atMost }] as const]
    }),
  )
}
