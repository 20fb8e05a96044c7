import type { RecentCallback } from '#contract'
import type { UndeliveredCallback } from '#service'
import type { Output } from '../command/output.ts'
import { plain } from '../flow/text.ts'
import { type LocalAnswer, readMessage } from './localReceiver.ts'

/** Describes undelivered callbacks, one line each. */
export function formatCallbacks(callbacks: readonly UndeliveredCallback[], limit: number): string[] {
  return [
    ...callbacks.map(formatCallback),
    ...(callbacks.length > 0 ? [''] : []),
    ...(callbacks.length < limit
      ? [`${callbacks.length} undelivered.`]
      : [`The ${limit} oldest. Narrow the list with --dead, --tenant or --shipment.`]),
  ]
}

function formatCallback(callback: UndeliveredCallback): string {
  const { messageId, tenantId, shipmentUid, failures, createdAt } = callback
  const since = new Date(createdAt).toISOString()
  return `${messageId}  ${tenantId}  shipment ${shipmentUid}  since ${since}  ${failures} failed  ${describeState(callback)}`
}

function describeState({ deadSince, waits, nextAttemptAt }: UndeliveredCallback): string {
  if (deadSince !== null) return `given up at ${new Date(deadSince).toISOString()}`
  if (waits) return 'waits for an earlier one of its shipment'
  return nextAttemptAt ? `next at ${new Date(nextAttemptAt).toISOString()}` : 'due'
}

/** One delivery as a line: the state, the shipment, the address and its answer, then the local answer. */
export function describeCallback(
  callback: RecentCallback,
  local: LocalAnswer | undefined,
  { style }: Pick<Output, 'style'>,
): string {
  const { at, messageId, caseNo, shipmentUid, body, delivered, answer, failures } = callback
  const state = (readMessage(body)?.stateCode ?? '').padEnd(16)
  const answered = style(delivered ? 'green' : 'red', answer)
  const again = failures === 0 ? '' : `, after ${failures} failed`
  const forwarded =
    local && `  local ${style(local.accepted ? 'green' : 'red', local.answer)} in ${local.durationMs} ms`
  return `${at}  ${state}  ${plain(caseNo ?? '-')}  ${plain(shipmentUid)}  ${answered}${again}${forwarded ?? ''}  ${messageId}`
}
