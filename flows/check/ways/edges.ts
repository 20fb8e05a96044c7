import type { Cause, Edge, TakenEdge } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'
import { findTarget } from '../model/flow.ts'
import { explore } from './explore.ts'

/**
 * Every way between the steps of a flow, by all inputs and events, those of other programs included. An error is a way if
 * the step names it in `onError`; any other error fails the flow. Undefined for a flow that is too complex.
 */
export function edgesOf(flow: FlowDeclaration): readonly Edge[] | undefined {
  const edges = new Map<string, Edge & { readonly order: readonly number[] }>()
  const isComplete = explore(
    flow,
    { others: true },
    {
      edge: (step, cause, next) => {
        const edge = { step: nameOf(flow, step), cause, next: nameOf(flow, next) }
        edges.set(JSON.stringify(edge), { ...edge, order: [step, next] })
      },
    },
  )
  if (!isComplete) return undefined
  return [...edges.values()]
    .toSorted((a, b) => compare(a.order, b.order) || a.cause.localeCompare(b.cause))
    .map(({ step, cause, next }) => ({ step, cause, next }))
}

/**
 * The edges of the declaration in one way that a run took: the edge itself, and those of the steps that its plan left out
 * because of the input.
 */
export function edgesOn(flow: FlowDeclaration, { step, cause, next }: TakenEdge): readonly Edge[] {
  const end = flow.steps.length
  const last = next ?? end
  const first = isEarlyEnd(flow.steps[step], cause) ? last : Math.min(last, targetOf(flow, step, cause))
  const edge = { step: nameOf(flow, step), cause, next: nameOf(flow, first) }
  const leftOut = Array.from({ length: last - first }, (_, index) => first + index)
  return [
    edge,
    ...leftOut.map(index => ({
      step: nameOf(flow, index),
      cause: 'skipped' as const,
      next: nameOf(flow, index + 1),
    })),
  ]
}

const endingCauses: readonly Cause[] = ['ask.cancel', 'timeout.cancel', 'cancel', 'cancelledOutside', 'release']
const stayingCauses: readonly Cause[] = ['remind', 'ask.extend', 'ask.keepWaiting']

/** True for an end that leaves no later step out. */
function isEarlyEnd(step: Step | undefined, cause: Cause): boolean {
  return endingCauses.includes(cause) || errorWay(step, cause) === 'fail'
}

/** The declared index to which a cause leads directly. */
function targetOf(flow: FlowDeclaration, index: number, cause: Cause): number {
  const step = flow.steps[index]
  if (stayingCauses.includes(cause)) return index
  const onTimeout = step !== undefined && 'onTimeout' in step ? step.onTimeout : undefined
  const way = cause === 'timeout.goTo' ? onTimeout : errorWay(step, cause)
  const target = typeof way === 'object' ? findTarget(flow, index, way.goTo) : undefined
  return target ?? index + 1
}

function errorWay(step: Step | undefined, cause: Cause) {
  if (!cause.startsWith('error:') || step === undefined || !('onError' in step)) return undefined
  return step.onError?.[cause.slice('error:'.length)]
}

function nameOf({ steps }: FlowDeclaration, index: number): string {
  return steps[index]?.name ?? 'end'
}

function compare([step = 0, next = 0]: readonly number[], [otherStep = 0, otherNext = 0]: readonly number[]): number {
  return step - otherStep || next - otherNext
}
