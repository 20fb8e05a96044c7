import { type CallbackAddress, type RecentCallback, sandboxPaths } from '#contract'
import { openUndelivered, readDatabaseUrl } from '#service'
import type { VerbCall } from '../command/verb.ts'
import { readTarget } from '../sandbox/target.ts'
import { createTrafficClient } from '../sandbox/trafficClient.ts'
import { describeCallback, formatCallbacks } from './report.ts'
import { isForStore, readSelection, type Selection } from './selection.ts'

/** Callbacks of one list. */
const limit = 1_000

/** Lists the deliveries that a service in staging remembers, or the undelivered callbacks of a store. */
export async function run(call: VerbCall): Promise<void> {
  const selection = readSelection(call)
  return isForStore(call) ? listStore(call, selection) : listRecent(call, selection)
}

async function listStore({ environment, output }: VerbCall, selection: Selection): Promise<void> {
  const callbacks = await openUndelivered(readDatabaseUrl(environment))
  try {
    const found = await callbacks.list(selection, limit)
    const answer = { callbacks: found, complete: found.length < limit }
    output.result(answer, () => formatCallbacks(found, limit))
  } finally {
    await callbacks.close()
  }
}

async function listRecent({ environment, output }: VerbCall, selection: Selection): Promise<void> {
  const client = createTrafficClient(readTarget(environment))
  const [address, ...deliveries] = await client.list<CallbackAddress | RecentCallback>(sandboxPaths.callbacks)
  const callbackUrl = address !== undefined && 'callbackUrl' in address ? address.callbackUrl : null
  const found = deliveries
    .filter((delivery): delivery is RecentCallback => 'messageId' in delivery)
    .filter(delivery => isSelected(delivery, selection))
  output.result({ callbackUrl, callbacks: found }, () => [
    callbackUrl === null ? 'The tenant has no callback address.' : `Callbacks go to ${callbackUrl}.`,
    ...found.map(callback => describeCallback(callback, undefined, output)),
  ])
}

export function isSelected(callback: RecentCallback, selection: Selection): boolean {
  const { shipmentUid, caseNo, messageId, since, failed } = selection
  return (
    (shipmentUid === undefined || callback.shipmentUid === shipmentUid) &&
    (caseNo === undefined || callback.caseNo === caseNo) &&
    (messageId === undefined || callback.messageId === messageId) &&
    (since === undefined || Date.parse(callback.at) >= since) &&
    !(failed && callback.delivered)
  )
}
