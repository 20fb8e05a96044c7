import { flows } from '#flows'
import { unlessAborted } from '#platform/interruption'
import { misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { noteWait } from '../command/waiting.ts'
import { timeoutOf } from './duration.ts'
import { readInput } from './input.ts'
import { finish } from './outcome.ts'
import { findFlow, withFlows } from './session.ts'
import { findFailedPlan } from './unplanned.ts'

const events = ['booked', 'end'] as const

/** `lockerflow flow start`. */
export async function run(call: VerbCall): Promise<void> {
  const { values, options, output, environment } = call
  const [name = '', ...words] = values.filter(value => value !== undefined)
  if (!/^[A-Za-z][A-Za-z0-9]*$/.test(name))
    throw misuse(`flow: must be the name of a flow, such as ${Object.keys(flows)[0]}.`)
  const { wait } = options
  if (wait !== undefined && !events.some(event => event === wait)) {
    throw misuse(`--wait: must be ${events.join(' or ')}, got "${wait}".`)
  }
  const timeout = timeoutOf(options)
  const found = await findFlow(name, environment)
  if (found === undefined) output.note(await unknownNote(name))
  const input = await readInput(found?.flow, words, options)
  const own = found?.isOwn ? [found.flow] : []
  await withFlows(
    call,
    async ({ flows }) => {
      if (wait === 'booked') {
        const text = `${input.caseNo} is not booked yet. Its state: lockerflow flow status ${input.caseNo}`
        const booking = unlessAborted(flows.startAndWaitForBooking(name, input, timeout), call.signal)
        return finish(output, await noteWait(output, text, booking))
      }
      const started = await flows.start(name, input)
      if (started.kind !== 'Started') return finish(output, started)
      if (wait === undefined) {
        const failed = found === undefined ? await findFailedPlan(flows, input.caseNo, call.signal) : undefined
        return finish(output, failed ?? started)
      }
      output.note(`${input.caseNo} started, waiting for its end`)
      const { signal } = call
      finish(output, await flows.waitForEnd(input.caseNo, { ...timeout, signal }))
    },
    own,
  )
}

/** The flow may be one of the worker's own, whose declaration this machine does not have. */
async function unknownNote(name: string): Promise<string> {
  const { suggest } = await import('#flows/check')
  const files = 'Set LOCKERFLOW_FLOWS to the files of your own flows to check the name and the fields.'
  return `${name} is not a built-in flow.${suggest(name, Object.keys(flows))} ${files}`
}
