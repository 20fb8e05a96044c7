import { allSteps, type Cause, type Edge, listsOf, type TakenEdge } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'

/** The steps of a declaration, each before its own. */
interface Tree {
  readonly steps: readonly Step[]
  /** The list of each step, as indexes. */
  readonly lists: readonly (readonly number[])[]
  /** The lists in each step. */
  readonly inside: readonly (readonly (readonly number[])[])[]
}

/**
 * The edges of the declaration in one path that a run took: the edge itself, and those of the steps that its plan left out
 * because of the input.
 */
export function edgesOn(flow: FlowDeclaration, { step: from, cause: taken, next, branch }: TakenEdge): readonly Edge[] {
  const tree = toTree(flow)
  const step = tree.steps[from]
  const climbs = typeof next === 'number' && next !== from && isAround(tree, next, from)
  const cause = labelOf(climbs ? tree.steps[next] : step, taken, climbs)
  const nameAt = (index: number | undefined, end: string) =>
    index === undefined ? end : (tree.steps[index]?.name ?? end)
  const edge = (to: string): Edge => ({ step: step?.name ?? 'end', cause, next: to })
  // A code climbs to a block around the step.
  if (typeof next === 'number' && (next === from ? stays(cause) : climbs)) return [edge(nameAt(next, 'end'))]
  const own = tree.lists[from] ?? []
  const isOuter = own === tree.lists[0]
  const list = listBegun(tree, from, cause, branch) ?? own
  const end = list === tree.lists[0] ? 'end' : 'done'
  if (isEarlyEnd(step, cause) || (next === null && !isOuter)) return [edge('end')]
  const last = typeof next === 'number' ? list.indexOf(next) : list.length
  const first = Math.min(last, list === own ? targetIn(tree, list, from, cause) : 0)
  const leftOut = list.slice(first, last)
  return [
    edge(nameAt(list[first], end)),
    ...leftOut.map((index, place) => ({
      step: nameAt(index, end),
      cause: 'skipped' as const,
      next: nameAt(list[first + place + 1], end),
    })),
  ]
}

const trees = new WeakMap<FlowDeclaration, Tree>()

function toTree(flow: FlowDeclaration): Tree {
  const known = trees.get(flow)
  if (known !== undefined) return known
  const lists: (readonly number[])[] = []
  const inside: (readonly number[])[][] = []
  const addList = (steps: readonly Step[]): readonly number[] => {
    const own: number[] = []
    for (const step of steps) {
      const index = lists.length
      own.push(index)
      lists.push(own)
      inside[index] = []
      for (const { steps: inner } of listsOf(step)) inside[index].push(addList(inner))
    }
    return own
  }
  addList(flow.steps)
  const tree = { steps: allSteps(flow.steps), lists, inside }
  trees.set(flow, tree)
  return tree
}

/** The list that a block begins; undefined for a cause that leads out of the step. */
function listBegun(
  { steps, inside }: Tree,
  from: number,
  cause: Cause,
  branch?: string,
): readonly number[] | undefined {
  const step = steps[from]
  const [, number] = /^case:(\d+)$/.exec(cause) ?? []
  if (step === undefined || !(number !== undefined || ['fork', 'item', 'again'].includes(cause))) return undefined
  const index = number === undefined ? listsOf(step).findIndex(({ name }) => name === branch) : Number(number) - 1
  return inside[from]?.[index]
}

function isAround({ steps }: Tree, block: number, index: number): boolean {
  const step = steps[block]
  if (step === undefined || index <= block) return false
  return index < block + allSteps([step]).length
}

const endingCauses: readonly Cause[] = ['ask.cancel', 'timeout.cancel', 'cancel', 'cancelledOutside']
const stayingCauses: readonly Cause[] = ['remind', 'ask.extend', 'ask.keepWaiting']

/** A code that a step takes as any other one has the label of all of them. */
function labelOf(step: Step | undefined, cause: Cause, climbs: boolean): Cause {
  if (!cause.startsWith('error:') || step === undefined) return cause
  // Where the others go on, the item ends by any code.
  if (climbs && 'forEach' in step && step.onItemError === 'continue') return 'error:other'
  const onError = 'onError' in step ? (step.onError ?? {}) : {}
  if (Object.hasOwn(onError, cause.slice('error:'.length))) return cause
  return climbs || Object.hasOwn(onError, 'other') ? 'error:other' : cause
}

function stays(cause: Cause): boolean {
  return stayingCauses.includes(cause)
}

/** True for an end that leaves no later step out. */
function isEarlyEnd(step: Step | undefined, cause: Cause): boolean {
  return endingCauses.includes(cause) || errorPath(step, cause) === 'fail'
}

/** The place in its list to which a cause leads directly. */
function targetIn({ steps }: Tree, list: readonly number[], from: number, cause: Cause): number {
  const place = list.indexOf(from)
  const step = steps[from]
  const onTimeout = step !== undefined && 'onTimeout' in step ? step.onTimeout : undefined
  const path = cause === 'timeout.goTo' ? onTimeout : errorPath(step, cause)
  if (typeof path !== 'object') return place + 1
  const target = list.findIndex((index, at) => at > place && steps[index]?.name === path.goTo)
  return target < 0 ? list.length : target
}

function errorPath(step: Step | undefined, cause: Cause) {
  if (!cause.startsWith('error:') || step === undefined || !('onError' in step)) return undefined
  const { onError = {} } = step
  const code = cause.slice('error:'.length)
  return Object.hasOwn(onError, code) ? onError[code] : onError.other
}
