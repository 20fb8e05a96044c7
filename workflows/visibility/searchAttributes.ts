import { upsertSearchAttributes, workflowInfo } from '@temporalio/workflow'
import { caseNoIn, searchAttributes } from '#contract/terms'
import { findDeclaration } from '#workflows/flows'
import { type Run, statusOf } from './run.ts'

type Pairs = Extract<Parameters<typeof upsertSearchAttributes>[0], readonly unknown[]>
type Attribute = keyof typeof searchAttributes

/**
 * Makes a flow findable by where it is. Only what changed is written, since each write is an event and a change of the
 * server's lists: a starter may have set some, and an earlier run has set all. Of a flow that has ended nothing is
 * written: that it has says Temporal itself, and it keeps where it was, like one that was terminated.
 */
export function publishAttributes(run: Run): void {
  if (!run.over) write(attributesOf(run))
}

/**
 * Makes a flow findable by its case before it is planned, whoever started it: our own client says this with the start.
 * Nobody has checked the input yet, so only what the server takes in any case is written.
 */
export function publishCase(): void {
  const { workflowId, workflowType } = workflowInfo()
  const caseNo = caseNoIn(workflowId)
  const isFlow = findDeclaration(workflowType) !== undefined
  write([...(caseNo ? [keyword('caseNo', caseNo)] : []), ...(isFlow ? [keyword('flow', workflowType)] : [])])
}

function write(wanted: Pairs): void {
  const { typedSearchAttributes: known } = workflowInfo()
  const changed = wanted.filter(({ key, value }) => {
    // Of keys of many kinds no single one is right for `get`.
    const before: unknown = known.get(key as never)
    return JSON.stringify(before ?? null) !== JSON.stringify(value)
  })
  if (changed.length > 0) upsertSearchAttributes(changed)
}

function attributesOf(run: Run): Pairs {
  const { flow, caseNo, state, stage, shipments, overdue } = statusOf(run)
  const plan = run.course?.plan
  const uids = shipments.map(({ shipmentUid }) => shipmentUid)
  return [
    keyword('caseNo', caseNo),
    keyword('flow', flow),
    keyword('state', state),
    keyword('stage', stage),
    keyword('pickUpPoint', shipments[0]?.pupUid ?? plan?.pickUpPoint ?? null),
    keyword('user', plan?.user ?? null),
    { key: { name: searchAttributes.shipments.name, type: 'KEYWORD_LIST' }, value: uids.length > 0 ? uids : null },
    // Unset is as good as false, but a search for "not overdue" wants the word.
    { key: { name: searchAttributes.overdue.name, type: 'BOOL' }, value: state === 'booking' ? null : overdue },
  ]
}

/** Null unsets an attribute: a flow that cleans up is in no stage. */
function keyword(attribute: Attribute, value: string | null) {
  return { key: { name: searchAttributes[attribute].name, type: 'KEYWORD' as const }, value }
}
