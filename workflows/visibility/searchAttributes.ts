import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import { findCaseNo, findDeclaration, searchAttributes } from '#flows'
import { type FlowContext, toStatus } from '../context.ts'

type Pairs = Extract<Parameters<typeof upsertSearchAttributes>[0], readonly unknown[]>
type Attribute = keyof typeof searchAttributes

/**
 * Makes a flow findable by its state. Writes only changes: each write is an event and a visibility update, and the
 * starter or an earlier run may have set the same values. An ended flow keeps its last values, like a terminated one;
 * Temporal itself knows that it has ended.
 */
export function publishSearchAttributes(flow: FlowContext): void {
  if (flow.state !== 'ended') write(toAttributes(flow))
}

/**
 * Makes a flow findable by its case before it is planned, whichever client started it. The input is not checked yet, so
 * only values that the server always accepts are written.
 */
export function publishCase(): void {
  const { workflowId, workflowType } = workflowInfo()
  const caseNo = findCaseNo(workflowId)
  const isFlow = findDeclaration(workflowType) !== undefined
  write([...(caseNo ? [keyword('caseNo', caseNo)] : []), ...(isFlow ? [keyword('flow', workflowType)] : [])])
}

function write(attributes: Pairs): void {
  const { typedSearchAttributes: current } = workflowInfo()
  const changed = attributes.filter(({ key, value }) => {
    // The keys have different value types; no overload of `get` fits them all.
    const before: unknown = current.get(key as never)
    return JSON.stringify(before ?? null) !== JSON.stringify(value)
  })
  if (changed.length > 0) upsertSearchAttributes(changed)
}

function toAttributes(flow: FlowContext): Pairs {
  const { flow: name, caseNo, state, stage, shipments, overdue } = toStatus(flow)
  const plan = flow.progress?.plan
  const uids = shipments.map(({ shipmentUid }) => shipmentUid)
  return [
    keyword('caseNo', caseNo),
    keyword('flow', name),
    keyword('state', state),
    keyword('stage', stage),
    keyword('pickUpPoint', shipments[0]?.pupUid ?? plan?.pickUpPoint ?? null),
    keyword('user', plan?.user ?? null),
    { key: { name: searchAttributes.shipments.name, type: 'KEYWORD_LIST' }, value: uids.length > 0 ? uids : null },
    // A search for flows that are not overdue needs an explicit false.
    { key: { name: searchAttributes.overdue.name, type: 'BOOL' }, value: state === 'booking' ? null : overdue },
  ]
}

/** Null unsets an attribute: a flow that cleans up has no stage. */
function keyword(attribute: Attribute, value: string | null) {
  return { key: { name: searchAttributes[attribute].name, type: 'KEYWORD' as const }, value }
}
