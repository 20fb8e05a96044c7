import type { Client } from '@temporalio/client'
import { isReset, type Run } from '#client/cases'
import { fingerprint } from '#contract/casing'
import { findCaseNo, isOpenRun, searchAttributes } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { NameOf } from './flowTypes.ts'
import { refused } from './refusals.ts'
import type { Listed, ListedCase, Refused } from './results.ts'
import type { ListFilter } from './types.ts'
import { WhereFault } from './where/parse.ts'
import { compileWhere, inState, quote } from './where/query.ts'

/** Temporal's number (temporal.api.enums.v1.WorkflowExecutionStatus). Those of other ends are larger. */
const completed = 2

const defaultPageSize = 100

/** Milliseconds. */
export const listTimeout = 10_000

/** Characters before the token in a cursor. */
const prefixLength = 16

/** A flow that continued as new goes on as another run, which is listed instead. */
const isCurrent = "ExecutionStatus != 'ContinuedAsNew'"

type Attribute = keyof typeof searchAttributes

/** Implements `FlowClient.list`. */
export async function list<Own extends FlowDeclaration>(
  client: Client,
  { cursor, pageSize = defaultPageSize, ...filter }: ListFilter<NameOf<Own>>,
): Promise<Listed | Refused> {
  if (!Number.isInteger(pageSize) || pageSize < 1 || pageSize > 1_000) {
    return refused('InvalidFilter', 'pageSize: must be a whole number from 1 to 1000.')
  }
  const unreadable = Object.entries(filter).find(([, value]) => String(value).includes('\0'))
  // The store of Temporal fails on it as if it were down.
  if (unreadable) return refused('InvalidFilter', `${unreadable[0]}: must not contain the character NUL.`)
  let query: string
  try {
    query = toQuery(filter, Date.now())
  } catch (error) {
    if (!(error instanceof WhereFault)) throw error
    return refused('InvalidFilter', error.message)
  }
  const token = cursor?.slice(prefixLength)
  if (token !== undefined && cursor !== toCursor(filter, token)) {
    return refused('InvalidCursor', 'cursor must be that of an earlier page with the same filter.')
  }
  const page = await client.workflowService.listWorkflowExecutions({
    namespace: client.options.namespace,
    query,
    pageSize,
    ...(token !== undefined && { nextPageToken: Buffer.from(token, 'base64url') }),
  })
  const kept = await withoutReset(client, page.executions)
  const next = Buffer.from(page.nextPageToken ?? []).toString('base64url')
  return { kind: 'Listed', cases: kept.flatMap(toListed), cursor: next === '' ? null : toCursor(filter, next) }
}

/**
 * Makes a cursor from Temporal's token, with a hash of the filter: some stores of Temporal accept a token of another
 * query, or fail as if unavailable on an altered one. The hash uses time 0, since `48h ago` changes with each page.
 */
function toCursor(filter: ListFilter<string>, token: string): string {
  return fingerprint([toQuery(filter, 0), token]).slice(0, prefixLength) + token
}

/**
 * The query in the language of Temporal's visibility.
 * @param now milliseconds since 1970, for `48h ago`
 * @throws WhereFault
 */
export function toQuery({ flow, state, overdue, user, pickUpPoint, where }: ListFilter<string>, now: number): string {
  const equals = (attribute: Attribute, value: string | undefined) =>
    value === undefined ? [] : [`${searchAttributes[attribute].name} = ${quote(value)}`]
  const isOverdue = overdue === undefined ? [] : [`${searchAttributes.overdue.name} = ${overdue}`, isOpenRun]
  return [
    isCurrent,
    `${searchAttributes.caseNo.name} IS NOT NULL`,
    ...equals('flow', flow),
    ...(state === undefined ? [] : [inState(state).is]),
    ...isOverdue,
    ...equals('user', user),
    ...equals('pickUpPoint', pickUpPoint),
    ...(where === undefined ? [] : [compileWhere(where, now)]),
  ].join(' AND ')
}

type Execution = Awaited<ReturnType<Client['workflowService']['listWorkflowExecutions']>>['executions'][number]

/** Runs that are examined at a time: each of them is a call. */
const concurrency = 10

/** Visibility does not tell that a flow goes on as another run after a reset. */
async function withoutReset(client: Client, executions: readonly Execution[]): Promise<Execution[]> {
  const kept: Execution[] = []
  for (let at = 0; at < executions.length; at += concurrency) {
    const some = executions.slice(at, at + concurrency)
    const reset = await Promise.all(
      some.map(each => (each.status ?? 0) > completed && isReset(client, each.execution as Run)),
    )
    kept.push(...some.filter((_, index) => !reset[index]))
  }
  return kept
}

function toListed({ execution, type, status, startTime, closeTime, searchAttributes: found }: Execution): ListedCase[] {
  const caseNo = findCaseNo(execution?.workflowId ?? '')
  if (caseNo === undefined) return []
  // Search attributes are JSON in every data converter, since the server reads them.
  const read = (attribute: Attribute): unknown => {
    const data = found?.indexedFields?.[searchAttributes[attribute].name]?.data
    return data ? JSON.parse(Buffer.from(data).toString()) : null
  }
  const text = (attribute: Attribute) => (read(attribute) ?? null) as string | null
  const ended = closeTime != null
  return [
    {
      caseNo,
      runId: execution?.runId ?? '',
      flow: type?.name ?? '',
      state: ended ? 'ended' : ((text('state') ?? 'booking') as ListedCase['state']),
      steps: (read('steps') ?? []) as string[],
      overdue: !ended && read('overdue') === true,
      outcome: text('outcome') as ListedCase['outcome'],
      leftOver: read('leftOver') === true,
      user: text('user'),
      pickUpPoint: text('pickUpPoint'),
      shipmentUids: (read('shipments') ?? []) as string[],
      startedAt: toIso(startTime) ?? '',
      endedAt: toIso(closeTime),
      failed: ended && status !== completed,
    },
  ]
}

function toIso(time: Execution['startTime']): string | null {
  if (time == null) return null
  return new Date(Number(time.seconds ?? 0) * 1_000 + (time.nanos ?? 0) / 1_000_000).toISOString()
}
