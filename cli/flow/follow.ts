import type { OverdueChange, Watched } from '#client'
import { CommandFailure, exitCodes } from '../command/failure.ts'
import type { Output } from '../command/output.ts'
import type { VerbCall } from '../command/verb.ts'
import { noteWait } from '../command/waiting.ts'
import { timeoutOf } from './duration.ts'
import { failureOf, finish, linesOf, notCompleted } from './outcome.ts'
import { withFlows } from './session.ts'
import { formatShipment, moment } from './text.ts'

/** `lockerflow flow wait`. */
export async function wait(call: VerbCall): Promise<void> {
  const [caseNo = ''] = call.values
  const options = { ...timeoutOf(call.options), signal: call.signal }
  await withFlows(call, async ({ flows }) => {
    const text = `${caseNo} has not ended yet. Its steps: lockerflow flow watch ${caseNo}`
    finish(call.output, await noteWait(call.output, text, flows.waitForEnd(caseNo, options)))
  })
}

/** `lockerflow flow watch`: one line for each change, the end as the last one. */
export async function watch(call: VerbCall): Promise<void> {
  const { output, options } = call
  const [caseNo = ''] = call.values
  const after = typeof options.after === 'string' ? { after: options.after } : {}
  const { timeout } = timeoutOf(options)
  const limit = timeout === undefined ? undefined : AbortSignal.timeout(timeout)
  const signal = limit === undefined ? call.signal : AbortSignal.any([call.signal, limit])
  await withFlows(call, async ({ flows }) => {
    try {
      for await (const change of flows.watch(caseNo, { ...after, signal })) print(output, change as Watched)
    } catch (error) {
      if (!limit?.aborted || call.signal.aborted) throw error
      const message = `${caseNo} has not ended within ${options.timeout}.`
      throw new CommandFailure('StillPending', message, { exitCode: exitCodes.pending })
    }
  })
}

/** @throws CommandFailure for a flow that failed or is unknown */
function print(output: Output, item: Watched): void {
  if (item.kind === 'Interrupted') {
    output.note(item.message)
    return
  }
  if (item.kind === 'Refused' || item.kind === 'UnknownCase') throw failureOf(item)
  output.item(item, () => toLines(item))
  if (item.kind === 'Ended' && item.result.outcome !== 'completed') throw notCompleted(item.result)
}

function toLines(item: Exclude<Watched, { kind: 'Interrupted' | 'Refused' | 'UnknownCase' }>): string | string[] {
  switch (item.kind) {
    case 'Stage':
      return `${item.stage ?? item.state}${item.deadline === null ? '' : ` until ${moment(item.deadline)}`}`
    case 'Shipment':
      return formatShipment(item.shipment)
    case 'Overdue':
      return item.overdue ? overdueLine(item) : `${item.stage} is no longer overdue`
    case 'Ended':
      return linesOf(item)
  }
}

function overdueLine({ stage, overdueSince, deadline }: OverdueChange): string {
  const reminder = deadline === null ? '' : `, next reminder ${moment(deadline)}`
  return `${stage} has been overdue since ${moment(overdueSince)}${reminder}`
}
