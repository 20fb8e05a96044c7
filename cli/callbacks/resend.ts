import { openUndelivered, readDatabaseUrl } from '#service'
import { failed, misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { readTarget } from '../sandbox/target.ts'
import { createTrafficClient } from '../sandbox/trafficClient.ts'
import { isEmpty, isForStore, readSelection, type Selection } from './selection.ts'

/** Sends one callback again, or all of a selection. */
export async function run(call: VerbCall): Promise<void> {
  if (call.values[0] !== undefined && call.options.message !== undefined)
    throw misuse('--message: must be omitted if the argument message is given.')
  const selection = readSelection(call, call.values[0])
  if (isEmpty(selection)) throw misuse('message: must be given, or --shipment, --case, --since, --tenant or --dead.')
  const resent = isForStore(call) ? await resendFromStore(call, selection) : await resendByService(call, selection)
  const subject = subjectOf(selection)
  if (resent === 0 && subject !== undefined)
    throw failed(
      `${subject} can be sent again.`,
      `List them: lockerflow callbacks list${isForStore(call) ? ' --store' : ''}.`,
    )
  call.output.result({ resent }, () => [`${resent} ${resent === 1 ? 'callback is' : 'callbacks are'} due.`])
}

/** Begins the failure of a selection that names what it expects; undefined for a time, a tenant or `--dead`. */
function subjectOf({ messageId, shipmentUid, caseNo }: Selection): string | undefined {
  if (messageId !== undefined) return 'No such callback'
  if (shipmentUid !== undefined) return `No callback of the shipment ${shipmentUid}`
  return caseNo === undefined ? undefined : `No callback of the case ${caseNo}`
}

async function resendFromStore({ environment }: VerbCall, selection: Selection): Promise<number> {
  const callbacks = await openUndelivered(readDatabaseUrl(environment))
  try {
    return await callbacks.resend(selection)
  } finally {
    await callbacks.close()
  }
}

function resendByService({ environment }: VerbCall, { shipmentUid, caseNo, messageId, since }: Selection) {
  return createTrafficClient(readTarget(environment)).resend({
    shipmentUid,
    caseNo,
    messageId,
    ...(since !== undefined && { since: new Date(since).toISOString() }),
  })
}
