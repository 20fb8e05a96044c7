import { upsertSearchAttributes } from '@temporalio/workflow'
import { searchAttributes } from '#contract/terms'
import { type Run, statusOf } from './run.ts'

type Pairs = Extract<Parameters<typeof upsertSearchAttributes>[0], readonly unknown[]>
type Attribute = keyof typeof searchAttributes

/** What was written to visibility last, by run: only what changed is written, since each write is an event. */
const written = new WeakMap<Run, Map<string, string>>()

/** Makes a flow findable by where it is. */
export function publishAttributes(run: Run): void {
  const before = written.get(run) ?? new Map<string, string>()
  written.set(run, before)
  const changed = attributesOf(run).filter(
    ({ key, value }) => (before.get(key.name) ?? 'null') !== JSON.stringify(value),
  )
  if (changed.length === 0) return
  for (const { key, value } of changed) before.set(key.name, JSON.stringify(value))
  upsertSearchAttributes(changed)
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

/** Null unsets an attribute: an ended flow is in no stage. */
function keyword(attribute: Attribute, value: string | null) {
  return { key: { name: searchAttributes[attribute].name, type: 'KEYWORD' as const }, value }
}
