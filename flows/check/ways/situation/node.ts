import type { StateCode } from '#contract/terms'
import { type Cause, kindOf, pathOfPoint, sentBy } from '#flows'
import type { FlowDeclaration, PointInTime, Source, Step, WaitStep } from '#flows/declaration'
import { pathsOfBooking } from '../../model/booking.ts'
import { conditionsOf, keysOf } from '../../model/conditions.ts'
import { isAsk, isBook, isWait, outputOf } from '../../model/flow.ts'
import { headOf, readSource } from '../../model/source.ts'
import { type PlacedList, treeOf } from '../../model/tree.ts'
import { hasReached, type Part } from './parts.ts'

/** The step that was left last, and the cause. */
export interface Origin {
  readonly step: number
  readonly cause: Cause
}

/** The part of a flow's situation on which the steps ahead depend. */
export interface Node {
  readonly step: number
  /** The condition of the step is true, and its work or wait has begun. */
  readonly entered: boolean
  readonly parts: readonly Part[]
  /** The uids of the shipments of roles that are booked. */
  readonly roles: ReadonlyMap<string, string>
  /** The uids of the shipments that calls of the flow have cancelled. */
  readonly freed: ReadonlySet<string>
  /**
   * By the name of a step: `done`, `answer:x`, `error:Code` (with the fields of the refusal: `error:Code+`), `ended:` or
   * `first:` and how, or the reason why it has no output, which begins with `!`.
   */
  readonly results: ReadonlyMap<string, string>
  /** Values of paths, and the truth of comparisons, that conditions have read. */
  readonly values: ReadonlyMap<string, string>
  /** By role: the states of which one is certainly reached, by the booking or by a wait. */
  readonly known: ReadonlyMap<string, string>
  readonly origin?: Origin
}

/** A way out of the situation of a step. */
export type Way =
  /** The flow goes on with the node, in the step `next` or at the end. */
  | { readonly kind: 'on'; readonly cause: Cause; readonly node: Node; readonly next: number }
  /** The flow stays in the step, or ends without having completed. */
  | { readonly kind: 'aside'; readonly cause: Cause; readonly next: number }
  /**
   * The step cannot go on, and its code climbs to the blocks around it. Without one that names it, the flow ends; `isSilent`:
   * by an error that the step does not name, which is no edge.
   */
  | {
      readonly kind: 'climb'
      readonly cause: Cause
      readonly code: string
      readonly node: Node
      readonly isSilent?: true
    }
  /** The flow completes with the node, before its last step. */
  /** The ways depend on the value of a path that the node leaves open. */
  | { readonly kind: 'open'; readonly path: string }

/** The way to the next step, with the node after this one. */
export function toNext(node: Node, cause: Cause): Way {
  return { kind: 'on', cause, node, next: node.step + 1 }
}

/** The parts of a node that the steps from one on still read. */
export interface Ahead {
  readonly heads: ReadonlySet<string>
  readonly keys: ReadonlySet<string>
  /** By role: the states that are waited for. */
  readonly waited: ReadonlyMap<string, ReadonlySet<StateCode>>
}

/** For each step, and for the end, what it and the steps after it read. */
export function readAhead(flow: FlowDeclaration): Ahead[] {
  const none: Ahead = { heads: new Set(), keys: new Set(), waited: new Map() }
  const ahead = [none]
  for (const { step } of treeOf(flow).toReversed()) {
    const [later = none] = ahead
    const keys = [
      ...conditionsOf(step).flatMap(keysOf),
      ...('forEach' in step ? [step.forEach] : []),
      ...(isBook(step) ? pathsOfBooking(flow, step) : []),
    ]
    const read = [...pathsOf(step), ...collectedBy(step)].map(({ path }) => path)
    const heads = [...keys, ...read].map(headOf)
    ahead.unshift({
      heads: new Set([...later.heads, ...heads]),
      keys: new Set([...later.keys, ...keys]),
      waited: new Map([...later.waited, ...(isWait(step) ? waitedBy(step, later) : [])]),
    })
  }
  // A loop can come to its steps again, and its end reads what they have.
  return ahead.map((own, index) => ahead[loopAround(treeOf(flow)[index]) ?? index] ?? own)
}

function waitedBy({ wait }: WaitStep, { waited }: Ahead): [string, ReadonlySet<StateCode>][] {
  return Object.entries(wait).map(([role, state]) => [role, new Set([...(waited.get(role) ?? []), state])])
}

/** The index of the outermost loop around a step, or around a list; undefined outside of loops. */
export function loopAround(place: { readonly list: PlacedList } | undefined): number | undefined {
  const holder = place?.list.holder
  if (holder === undefined) return undefined
  const isLoop = 'repeat' in holder.step || 'forEach' in holder.step
  return loopAround(holder) ?? (isLoop ? holder.index : undefined)
}

/** The values that an item leaves. */
export function collectedBy(step: Step): ReadPath[] {
  return 'forEach' in step && step.collect !== undefined ? pathsInSource(step.collect, ['collect']) : []
}

/** A path that a step reads, and its place below the step. Values with a default are left out. */
export interface ReadPath {
  readonly path: string
  readonly at: readonly (string | number)[]
}

/** The paths whose values a step needs. */
export function pathsOf(step: Step): ReadPath[] {
  const sent = sentBy(step)
  if (sent !== undefined) return pathsInSource(sent, ['with' in step ? 'with' : 'request'])
  const end = kindOf(step).end(step)
  if (typeof end !== 'object' || end === null) return []
  return pathsInPoint(end, 'window' in step ? ['window'] : ['sleep', 'until'])
}

function pathsInPoint(point: PointInTime, at: readonly string[]): ReadPath[] {
  const path = pathOfPoint(point)
  return path === undefined ? [] : [{ path, at: [...at, 'at' in point ? 'at' : 'from'] }]
}

function pathsInSource(source: Source, at: readonly (string | number)[]): ReadPath[] {
  const read = readSource(source)
  if (read.kind === 'from') return read.or === undefined ? [{ path: read.path, at: [...at, 'from'] }] : []
  if (read.kind === 'merge') return read.parts.flatMap((part, index) => pathsInSource(part, [...at, 'merge', index]))
  if (read.kind === 'list') return read.members.flatMap((part, index) => pathsInSource(part, [...at, index]))
  if (read.kind === 'value') return []
  return Object.entries(read.fields).flatMap(([name, part]) => pathsInSource(part, [...at, name]))
}

/** True if a step can have an output that a path reads. */
export function hasOutput(step: Step): boolean {
  return outputOf(step) !== undefined
}

/** The answer in a result of a step, with its fields; undefined for any other result. */
export function answerIn(step: Step, result: string): { answer: string; fields: readonly string[] } | undefined {
  const [kind, answer = ''] = result.split(':')
  if (kind !== 'answer' || !isAsk(step)) return undefined
  return { answer, fields: Object.keys(step.ask[answer] ?? {}) }
}

/** A text that is the same for equal situations only. */
export function toKey(node: Node): string {
  const ids = node.parts.map(({ id }) => id).toSorted((a, b) => a - b)
  return [dataKey(node), textOf(node.known), ids].join(';')
}

/** A text that tells situations apart by all but the states of their shipments. */
export function dataKey({ step, entered, roles, freed, results, values, origin }: Node): string {
  const left = origin && !entered ? `${origin.step} ${origin.cause}` : ''
  return [step, entered, textOf(roles), [...freed].toSorted(), textOf(results), textOf(values), left].join(';')
}

function textOf(map: ReadonlyMap<string, string>): string[] {
  return [...map].map(([key, value]) => `${key}=${value}`).toSorted()
}

/** True if a step ahead waits for a state that the role has reached for certain. */
function isAwaited(role: string, state: string, { waited }: Ahead): boolean {
  return [...(waited.get(role) ?? [])].some(wanted => hasReached(state, wanted))
}

/** The node at a later step, without what no step ahead of it reads. */
export function moveTo(node: Node, step: number, ahead: Ahead): Node {
  const keep = (map: ReadonlyMap<string, string>, names: ReadonlySet<string>, nameOf = (key: string) => key) =>
    new Map([...map].filter(([key]) => names.has(nameOf(key))))
  return {
    ...node,
    step,
    entered: false,
    results: keep(node.results, ahead.heads),
    values: keep(node.values, ahead.keys),
    known: new Map([...node.known].filter(([role, state]) => isAwaited(role, state, ahead))),
  }
}
