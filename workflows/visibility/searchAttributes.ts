import { type FlowOutcome, findCaseNo, jsonBytes, searchAttributes } from '#flows'
import { type FlowContext, listLeftOver, stateOf } from '../context.ts'
import { linesOf } from '../lines.ts'
import { type FlowProgress, stepOf } from '../progress.ts'
import type { Attribute, Runtime } from '../runtime.ts'
import { findStep } from '../status.ts'

type Name = keyof typeof searchAttributes

/** Bytes of a list attribute: a flow can have more shipments, and Temporal terminates a flow with a value above 2 KB. */
const maxBytes = 2_000

/** Characters of a keyword. */
const maxKeyword = 255

/**
 * Makes a flow findable by its state. Writes only changes: each write is an event and a visibility update, and the
 * starter or an earlier run may have set the same values. An ended flow keeps its last values, like a terminated one.
 */
export function publishSearchAttributes(flow: FlowContext): void {
  if (flow.progress !== undefined && !flow.hasEnded) write(flow.runtime, toAttributes(flow, flow.progress))
}

/** Makes an ended flow findable by its outcome, and by what it has left over for a person. */
export function publishOutcome(flow: FlowContext, outcome: FlowOutcome | 'failed'): void {
  const hasLeft = listLeftOver(flow).length > 0
  write(flow.runtime, [keyword('outcome', outcome), flag('leftOver', hasLeft)])
}

/**
 * Makes a flow findable by its case before it is planned, whichever client started it. The input is not checked yet, so
 * only values that the server always accepts are written.
 */
export function publishCase({ runtime }: FlowContext): void {
  const { workflowId, workflowType } = runtime.info()
  const caseNo = findCaseNo(workflowId)
  const isShort = workflowType.length <= maxKeyword
  write(runtime, [...(caseNo ? [keyword('caseNo', caseNo)] : []), ...(isShort ? [keyword('flow', workflowType)] : [])])
}

function write(runtime: Runtime, attributes: readonly Attribute[]): void {
  const { typedSearchAttributes: current } = runtime.info()
  const changed = attributes.filter(({ key, value }) => {
    // The keys have different value types; no overload of `get` fits them all.
    const before: unknown = current.get(key as never)
    return !isSame(before ?? null, value)
  })
  if (changed.length > 0) runtime.upsertSearchAttributes(changed)
}

function isSame(before: unknown, value: Attribute['value']): boolean {
  if (!Array.isArray(value) || !Array.isArray(before)) return before === value
  return before.length === value.length && before.every((each, index) => each === value[index])
}

function toAttributes(flow: FlowContext, progress: FlowProgress): Attribute[] {
  const { name, input } = flow
  const { plan, lockers } = progress
  const { shipments } = lockers
  const state = stateOf(flow)
  const reported = shipments[0]?.pupUid ?? null
  const pupUid = reported !== null && isKeyword(reported) ? reported : plan.pickUpPoint
  const uids = toNewest(shipments.map(({ shipmentUid }) => shipmentUid))
  return [
    keyword('caseNo', input?.caseNo ?? ''),
    keyword('flow', name),
    keyword('state', state),
    list('steps', findStep(flow) === undefined ? [] : toFirst(stepNames(progress))),
    keyword('pickUpPoint', pupUid),
    keyword('user', plan.user),
    list('shipments', uids),
    // A search for flows that are not overdue needs an explicit false.
    flag('overdue', state === 'booking' ? null : state === 'overdue'),
  ]
}

/** The names of the steps at which the flow stands. */
function stepNames(progress: FlowProgress): string[] {
  const names = linesOf(progress).flatMap(line => stepOf(progress, line)?.name ?? [])
  return [...new Set(names)]
}

/**
 * A callback can have any text. Temporal terminates a flow whose keyword is too long, and never lists one with the character
 * NUL, which PostgreSQL cannot store.
 */
function isKeyword(text: string): boolean {
  return text.length <= maxKeyword && !/[\p{Cc}\p{Cs}]/u.test(text)
}

/** The newest uids that fit: callbacks and people ask for them. */
export function toNewest(uids: readonly string[]): string[] {
  let fitting = [...uids]
  while (jsonBytes(fitting) > maxBytes) fitting = fitting.slice(1)
  return fitting
}

function toFirst(names: readonly string[]): string[] {
  return toNewest(names.toReversed()).toReversed()
}

/** Null unsets an attribute: a flow that cleans up is in no step. */
function keyword(attribute: Name, value: string | null): Attribute {
  return { key: { name: searchAttributes[attribute].name, type: 'KEYWORD' }, value }
}

function list(attribute: Name, values: string[]): Attribute {
  const { name } = searchAttributes[attribute]
  return { key: { name, type: 'KEYWORD_LIST' }, value: values.length > 0 ? values : null }
}

function flag(attribute: Name, value: boolean | null): Attribute {
  return { key: { name: searchAttributes[attribute].name, type: 'BOOL' }, value }
}
