import { type RecentCallback, sandboxPaths } from '#contract'
import { failed, misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { readTarget } from '../sandbox/target.ts'
import { createTrafficClient } from '../sandbox/trafficClient.ts'
import { isSelected } from './list.ts'
import { readLocalKey } from './localKey.ts'
import { postLocally, requireLocalUrl } from './localReceiver.ts'
import { describeCallback } from './report.ts'
import { isEmpty, readSelection, text } from './selection.ts'

/** Posts callbacks that the service remembers to a local address, with a new signature, each once and in their order. */
export async function run(call: VerbCall): Promise<void> {
  const { values, options, environment, output } = call
  const url = requireLocalUrl('url', values[0] ?? '')
  const selection = readSelection(call, values[1])
  if (isEmpty(selection)) throw misuse('message: must be given, or --shipment, --case or --since.')
  const key = await readLocalKey(environment, text(options.key))
  const client = createTrafficClient(readTarget(environment))
  const kept = await client.list<RecentCallback>(sandboxPaths.callbacks)
  const selected = kept.filter(entry => entry.messageId !== undefined && isSelected(entry, selection))
  // A callback has an entry for each of its deliveries.
  const once = [...new Map(selected.map(callback => [callback.messageId, callback])).values()]
  if (once.length === 0)
    throw failed('The service no longer has this callback.', 'List them: lockerflow callbacks list.')
  let refused = 0
  for (const callback of once) {
    const answer = await postLocally(url, key, callback)
    if (!answer.accepted) refused++
    output.item({ messageId: callback.messageId, ...answer }, () => describeCallback(callback, answer, output))
  }
  if (refused > 0) throw failed(`${url} refused ${refused} of ${once.length} callbacks.`, 'Read the responses above.')
}
