import { kindNameOf, listsOf } from '#flows'
import type { FlowDeclaration, Step } from '#flows/declaration'
import type { FieldPath } from '../fault.ts'

/** A step at its place in a declaration. Steps are numbered each before its own, as in a plan. */
export interface PlacedStep {
  readonly step: Step
  readonly index: number
  readonly at: FieldPath
  readonly list: PlacedList
  /** Its lists, of a block. */
  readonly lists: readonly PlacedList[]
  /** The index after its last step; that of the next step, for a step without steps of its own. */
  readonly end: number
}

export interface PlacedList {
  /** The block around it; undefined for the list of the flow. */
  readonly holder: PlacedStep | undefined
  /** The name of a branch. */
  readonly branch: string | undefined
  readonly steps: readonly PlacedStep[]
  readonly from: number
  /** The index after its last step. */
  readonly to: number
}

const trees = new WeakMap<FlowDeclaration, readonly PlacedStep[]>()

/** All steps of a flow, by their numbers. */
export function treeOf(flow: FlowDeclaration): readonly PlacedStep[] {
  const known = trees.get(flow)
  if (known !== undefined) return known
  const all: PlacedStep[] = []
  placeList(flow.steps, ['steps'], undefined, undefined, all)
  trees.set(flow, all)
  return all
}

function placeList(
  steps: readonly Step[],
  at: FieldPath,
  holder: PlacedStep | undefined,
  branch: string | undefined,
  all: PlacedStep[],
): PlacedList {
  const own: PlacedStep[] = []
  const list = { holder, branch, steps: own, from: all.length, to: all.length }
  for (const [place, step] of steps.entries()) {
    const lists: PlacedList[] = []
    const placed = { step, index: all.length, at: [...at, place], list, lists, end: 0 }
    all.push(placed)
    own.push(placed)
    for (const [index, { steps: inner, name }] of listsOf(step).entries()) {
      lists.push(placeList(inner, [...placed.at, ...placeOfList(step, index)], placed, name, all))
    }
    placed.end = all.length
  }
  list.to = all.length
  return list
}

function placeOfList(step: Step, index: number): FieldPath {
  const kind = kindNameOf(step)
  if (kind === 'group') return [kind]
  return kind === 'parallel' || kind === 'switch' ? [kind, index, 'steps'] : ['steps']
}

/** The blocks around a step, the innermost first. */
export function holdersOf({ list }: PlacedStep): PlacedStep[] {
  return list.holder === undefined ? [] : [list.holder, ...holdersOf(list.holder)]
}
