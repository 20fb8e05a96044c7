import { CommandFailure, exitCodes } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'

/** Milliseconds that a response has after Ctrl-C. Less than the time in which a verb must stop. */
const grace = 7_000

/** Ctrl-C does not abort a create at once, since its outcome would be unknown. */
export async function awaitCreate<Response>(
  { signal, output }: Pick<VerbCall, 'signal' | 'output'>,
  name: string,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<Response> {
  const waiting = new AbortController()
  let timer: NodeJS.Timeout | undefined
  signal.addEventListener('abort', () => {
    output.note(`The outcome of ${name} is not known yet. The command waits ${grace / 1_000} s for the response.`)
    timer = setTimeout(() => waiting.abort(signal.reason), grace)
  })
  try {
    return await send(waiting.signal)
  } catch (error) {
    if (!waiting.signal.aborted) throw error
    throw new CommandFailure('Interrupted', `no response to ${name}, which may have had its effect.`, {
      exitCode: exitCodes.pending,
      remedy: 'Look for its result, for example with lockerflow call GetShipments, before you run the command again.',
    })
  } finally {
    clearTimeout(timer)
  }
}
