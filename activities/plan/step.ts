import {
  allSteps,
  type Json,
  kindOf,
  listsOf,
  type PlannedLeaves,
  type PlannedList,
  type PlannedRange,
  type PlannedStep,
  type Planning,
  pathsIn,
  pathsInOutputs,
  pathsInWhen,
  resolve,
  type Source,
  sentBy,
  simplify,
  type Values,
  type When,
} from '#flows'
import type { FlowDeclaration, GoTo, OnError, Step } from '#flows/declaration'
import { addCancels, keptIn, type StepDraft } from './cancels.ts'
import { rejectLargeStep } from './input.ts'
import { requireOperation, sourceInCasing, toCallRequest, toRequest } from './request.ts'
import { planRoles } from './roles.ts'
import { rejectWindows, type ScaledInput, toEffectLength, toTimedWindow, toWindow } from './windows.ts'

interface Context {
  readonly input: ScaledInput
  readonly values: Values
  /** The input is the checked request of an operation. */
  readonly isRequest: boolean
}

/** A step that the input does not leave out, at its place in the plan. */
export interface Placed {
  readonly step: Step
  readonly index: number
  /** Its place among all steps of the declaration. */
  readonly declared: number
  readonly when: When | true
  /** Its list in the plan. */
  readonly list: readonly Placed[]
  /** True outside of blocks. */
  readonly isOuter: boolean
  readonly lists: readonly PlannedList[]
  readonly end: number
}

/** The steps that the input does not leave out, each before its own. */
export function planSteps(declaration: FlowDeclaration, values: Values, input: ScaledInput): PlannedStep[] {
  const placed = placeAll(declaration, values)
  rejectWindows(
    placed.map(({ step }) => step),
    input,
  )
  const context: Context = { input, values, isRequest: declaration.input === undefined }
  const all = allSteps(declaration.steps)
  const read = new Set([...all.flatMap(pathsRead), ...pathsInOutputs(declaration.outputs ?? {})])
  const later = (place: Placed) => (name: string) =>
    placed.find(({ index, step }) => index > place.index && step.name === name)?.index
  const drafts = placed.map(place => {
    const { step, when, declared, index } = place
    const { name, summary } = step
    const leaves = planLeaves(step, later(place))
    const follow = (goTo: GoTo) => followFrom(place, goTo, all)
    const common = {
      name,
      summary,
      ...(when !== true && { when }),
      ...(leaves !== undefined && { leaves }),
      ...(declared !== index && { declared }),
      ...('wait' in step && read.has(`${name}.ended`) && { tells: true as const }),
    }
    const onError = 'onError' in step && step.onError && { onError: followAll(step.onError, follow) }
    return {
      ...kindOf(step).plan(step, planningOf(place, context, { follow, later: later(place) })),
      ...onError,
      ...common,
    } as StepDraft
  })
  return addCancels(drafts, index => keptIn(placed[index]?.step))
}

/** The steps at their places. */
export function placeAll({ steps }: FlowDeclaration, values: Values): Placed[] {
  const all: Placed[] = []
  let declared = 0
  const placeList = (list: readonly Step[], isOuter: boolean): PlannedRange => {
    const from = all.length
    const own: Placed[] = []
    for (const step of list) {
      const when = decide(step.when, values)
      if (when === false) {
        declared += allSteps([step]).length
        continue
      }
      const place = { step, index: all.length, declared, when, list: own, isOuter, lists: [] as PlannedList[], end: 0 }
      declared++
      own.push(place)
      all.push(place)
      place.lists = placeLists(step)
      place.end = all.length
    }
    return { from, to: all.length }
  }
  const placeLists = (step: Step): PlannedList[] => {
    let isDecided = false
    return listsOf(step).flatMap(({ steps: inner, name, when: condition }, index): PlannedList[] => {
      const when = isDecided ? false : decide(condition, values)
      if (when === false) {
        declared += allSteps(inner).length
        return []
      }
      // The cases after one that always holds are never read.
      isDecided = 'switch' in step && when === true
      const range = placeList(inner, false)
      return [{ ...range, ...(name !== undefined && { name }), ...(when !== true && { when }), declared: index }]
    })
  }
  placeList(steps, true)
  return all
}

function decide(when: When | undefined, values: Values): When | boolean {
  return when === undefined ? true : simplify(when, values, isInput)
}

/** The next step of the list that the input does not leave out; the end of the list, if it has none. */
function followFrom({ index, list, isOuter }: Placed, { goTo }: GoTo, all: readonly Step[]): GoTo {
  if (goTo === 'end' || goTo === 'done') return { goTo }
  const target = all.findIndex(step => step.name === goTo)
  const next = target < 0 ? undefined : list.find(place => place.index > index && place.declared >= target)
  return { goTo: next?.step.name ?? (isOuter ? 'end' : 'done') }
}

/** A sentence whose end the input leaves out stays true. */
function planLeaves({ leaves }: Step, later: (name: string) => number | undefined): PlannedLeaves | undefined {
  if (typeof leaves !== 'object') return leaves
  const until = later(leaves.until)
  return until === undefined ? leaves.text : { text: leaves.text, until }
}

/** Where a step leads, and what is after it. */
interface Ahead {
  follow(goTo: GoTo): GoTo
  later(name: string): number | undefined
}

function planningOf({ step, lists, end }: Placed, context: Context, { follow, later }: Ahead): Planning {
  const { input, values } = context
  const { name } = step
  return {
    lists,
    end,
    indexOf: later,
    // The input sets windows, and a pause is none.
    interval: every => toWindow(name, every, { ...input, windows: undefined }, values),
    window: end => toWindow(name, end, input, values),
    timedWindow: end => toTimedWindow(name, end, input, values),
    length: (end, otherwise) => toEffectLength(name, end, input, otherwise),
    onTimeout: policy => (typeof policy === 'object' ? follow(policy) : (policy ?? null)),
    rejectLarge(value) {
      if (pathsIn(value).every(isInput)) rejectLargeStep(name, resolve(value, values))
    },
    bookingRequest: (operation, request) => toRequestSource(operation, request, context, toRequest),
    callRequest: (operation, request) => toRequestSource(operation, request, context, toCallRequest),
    roles: planRoles,
  }
}

/**
 * The request of a step. One that reads the input only is checked now, and not days later, when the flow comes to it.
 * @param check returns the request as it is sent
 */
function toRequestSource(
  operation: string,
  request: Source | undefined,
  { input, values, isRequest }: Context,
  check: typeof toRequest,
): Source {
  if (request !== undefined && !pathsIn(request).every(isInput)) return sourceInCasing(operation, request)
  if (request === undefined && isRequest) return { value: values.input ?? null }
  const value = request === undefined ? values.input : resolve(request, values)
  return { value: check(requireOperation(operation), value as Record<string, unknown>, input.caseNo) as Json }
}

function followAll(onError: OnError, follow: (goTo: GoTo) => GoTo): OnError {
  return Object.fromEntries(
    Object.entries(onError).map(([code, policy]) => [code, typeof policy === 'object' ? follow(policy) : policy]),
  )
}

/** The paths of a step whose values can be read when another step has ended. */
function pathsRead(step: Step): string[] {
  const conditions = [
    step.when,
    ...('switch' in step ? step.switch.map(({ when }) => when) : []),
    ...('repeat' in step ? [step.until] : []),
  ]
  const collected = 'forEach' in step ? step.collect : undefined
  return [...conditions.flatMap(pathsInWhen), ...pathsIn(sentBy(step)), ...pathsIn(collected)]
}

function isInput(path: string): boolean {
  return path.startsWith('input.')
}
