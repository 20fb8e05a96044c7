import type { Watched } from '#client'
import { CommandFailure, exitCodes } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { timeoutOf } from './duration.ts'
import { exitReasons, finish, linesOf } from './outcome.ts'
import { withFlows } from './session.ts'
import { formatShipment, moment } from './text.ts'

/** `lockerflow flow wait`. */
export async function wait(call: VerbCall): Promise<void> {
  const [caseNo = ''] = call.values
  const options = { ...timeoutOf(call.options), signal: call.signal }
  await withFlows(call, async ({ flows }) => finish(call.output, await flows.waitForEnd(caseNo, options)))
}

/** `lockerflow flow watch`: one line for each change, the end as the last one. */
export async function watch(call: VerbCall): Promise<void> {
  const { output, options, signal } = call
  const [caseNo = ''] = call.values
  const after = typeof options.after === 'string' ? { after: options.after } : {}
  await withFlows(call, async ({ flows }) => {
    for await (const change of flows.watch(caseNo, { ...after, signal })) {
      const item = change as Watched
      if (item.kind === 'Interrupted') output.note(item.message)
      else if (item.kind === 'Refused' || item.kind === 'UnknownCase') {
        throw new CommandFailure(item.code, item.message, { exitCode: exitCodes[exitReasons[item.kind]] })
      } else output.item(item, () => toLine(item))
      if (item.kind === 'Ended' && item.result.outcome !== 'completed') process.exitCode = exitCodes.failed
    }
  })
}

function toLine(item: Exclude<Watched, { kind: 'Interrupted' | 'Refused' | 'UnknownCase' }>): string {
  switch (item.kind) {
    case 'Stage':
      return `${item.stage ?? item.state}${item.deadline === null ? '' : ` until ${moment(item.deadline)}`}`
    case 'Shipment':
      return formatShipment(item.shipment)
    case 'Overdue':
      return item.overdue
        ? `${item.stage} is overdue since ${moment(item.deadline)}`
        : `${item.stage} is no longer overdue`
    case 'Ended':
      return linesOf(item).join('\n')
  }
}
