import {
  type FlowOutcome,
  type FlowState,
  isClosedRun,
  isOpenRun,
  parseDuration,
  readMoment,
  searchAttributes,
} from '#flows'
import { type Comparison, type Condition, parseWhere, WhereFault } from './parse.ts'

const states = ['booking', 'waiting', 'overdue', 'cleaningUp', 'ended'] as const satisfies readonly FlowState[]

/** The query of a comparison, and that of its opposite: stores disagree about the negation of a missing value. */
interface Queries {
  readonly is: string
  readonly isNot: string
}

type Kind = 'keyword' | 'list' | 'state' | 'outcome' | 'flag' | 'moment'

const outcomes = ['completed', 'cancelled', 'expired', 'failed'] as const satisfies (FlowOutcome | 'failed')[]

/** The fields of a condition, with the attribute of each. */
const whereFields = {
  case: { kind: 'keyword', attribute: searchAttributes.caseNo.name },
  flow: { kind: 'keyword', attribute: searchAttributes.flow.name },
  state: { kind: 'state', attribute: searchAttributes.state.name },
  step: { kind: 'keyword', attribute: searchAttributes.steps.name },
  user: { kind: 'keyword', attribute: searchAttributes.user.name },
  pickUpPoint: { kind: 'keyword', attribute: searchAttributes.pickUpPoint.name },
  shipment: { kind: 'list', attribute: searchAttributes.shipments.name },
  overdue: { kind: 'flag', attribute: searchAttributes.overdue.name },
  outcome: { kind: 'outcome', attribute: searchAttributes.outcome.name },
  leftOver: { kind: 'flag', attribute: searchAttributes.leftOver.name },
  started: { kind: 'moment', attribute: 'StartTime' },
  ended: { kind: 'moment', attribute: 'CloseTime' },
} as const satisfies Readonly<Record<string, { readonly kind: Kind; readonly attribute: string }>>

const examples: Readonly<Record<Kind, string>> = {
  keyword: "FIELD = 'value', FIELD != 'value' or FIELD in ('a', 'b')",
  list: "FIELD = 'value' or FIELD != 'value'",
  state: `FIELD = one of ${states.join(', ')}`,
  outcome: `FIELD = one of ${outcomes.join(', ')}`,
  flag: 'FIELD or not FIELD',
  moment: 'FIELD before 2026-11-01, FIELD after 2026-11-01T08:00:00Z or FIELD before 48h ago',
}

/**
 * Compiles a condition such as `overdue and pickUpPoint = 'pup-1'` to a query of Temporal's visibility. Values are quoted,
 * so that none of them can change the query.
 * @param now milliseconds since 1970, for `48h ago`
 * @throws WhereFault that names the field
 */
export function compileWhere(text: string, now: number): string {
  return toQuery(parseWhere(text), 'is', now)
}

function toQuery(condition: Condition, side: keyof Queries, now: number): string {
  if (condition.kind === 'comparison') return toQueries(condition.comparison, now)[side]
  if (condition.kind === 'not') return toQuery(condition.condition, side === 'is' ? 'isNot' : 'is', now)
  const word = (condition.kind === 'and') === (side === 'is') ? 'AND' : 'OR'
  return group(
    word,
    condition.conditions.map(each => toQuery(each, side, now)),
  )
}

function toQueries(comparison: Comparison, now: number): Queries {
  const name = Object.keys(whereFields).find(each => each.toLowerCase() === comparison.field.toLowerCase())
  if (name === undefined) {
    throw new WhereFault(`must compare one of ${Object.keys(whereFields).join(', ')}, got "${comparison.field}".`)
  }
  const { kind, attribute } = whereFields[name as keyof typeof whereFields]
  const { operator, values } = comparison
  const fault = (problem: string) =>
    new WhereFault(`${name} ${problem}, such as ${examples[kind].replaceAll('FIELD', name)}.`)
  if (kind === 'flag') {
    if (operator !== 'alone') throw fault('must stand alone')
    if (name === 'leftOver') return equals(attribute, true)
    return {
      is: `(${attribute} = true AND ${isOpenRun})`,
      isNot: `(${missing(attribute)} OR ${attribute} = false OR ${isClosedRun})`,
    }
  }
  if (kind === 'moment') {
    if (operator !== 'before' && operator !== 'after') throw fault('must be compared with before or after')
    const at = toTimestamp(values[0] ?? '', now)
    if (at === undefined) throw fault(`must be compared with a time, got "${values[0]}"`)
    const [is, isNot] = operator === 'before' ? ['<', '>='] : ['>', '<=']
    const [positive, negative] = [`${attribute} ${is} ${quote(at)}`, `${attribute} ${isNot} ${quote(at)}`]
    if (name === 'started') return { is: positive, isNot: negative }
    // Stores on SQL have an end in the far future for a flow that has not ended.
    return { is: `(${positive} AND ${isClosedRun})`, isNot: `(${isOpenRun} OR ${negative})` }
  }
  if (operator !== 'is' && operator !== 'isNot') throw fault('must be compared with a value')
  const known: readonly string[] | undefined = { state: states, outcome: outcomes }[kind as string]
  const wrong = known && values.find(value => !known.includes(value))
  if (wrong !== undefined)
    throw fault(`must be compared with ${kind === 'state' ? 'a state' : 'an outcome'}, got "${wrong}"`)
  const each = values.map(value => (kind === 'state' ? inState(value as FlowState) : equals(attribute, value)))
  const is = group(
    'OR',
    each.map(query => query.is),
  )
  const isNot = group(
    'AND',
    each.map(query => query.isNot),
  )
  return operator === 'is' ? { is, isNot } : { is: isNot, isNot: is }
}

function equals(attribute: string, value: string | true): Queries {
  const text = value === true ? 'true' : quote(value)
  return { is: `${attribute} = ${text}`, isNot: `(${missing(attribute)} OR ${attribute} != ${text})` }
}

/** An ended flow keeps its last state, and a flow has no state before its first task. */
export function inState(state: FlowState): Queries {
  const { name } = searchAttributes.state
  if (state === 'ended') return { is: isClosedRun, isNot: isOpenRun }
  const isOther = `${name} != ${quote(state)}`
  if (state === 'booking') {
    return {
      is: `((${missing(name)} OR ${name} = 'booking') AND ${isOpenRun})`,
      isNot: `((${name} IS NOT NULL AND ${isOther}) OR ${isClosedRun})`,
    }
  }
  return {
    is: `(${name} = ${quote(state)} AND ${isOpenRun})`,
    isNot: `(${missing(name)} OR ${isOther} OR ${isClosedRun})`,
  }
}

export function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function missing(attribute: string): string {
  return `${attribute} IS NULL`
}

function group(word: 'AND' | 'OR', queries: readonly string[]): string {
  return queries.length === 1 ? (queries[0] ?? '') : `(${queries.join(` ${word} `)})`
}

/** Undefined for a text that is neither a moment nor a duration before now. */
function toTimestamp(text: string, now: number): string | undefined {
  const [, duration] = /^(\S+) ago$/.exec(text) ?? []
  const length = duration === undefined ? undefined : parseDuration(duration)
  const at = length === undefined ? readMoment(text) : now - length
  return at === undefined ? undefined : new Date(at).toISOString()
}
