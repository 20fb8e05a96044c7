import { setTimeout } from 'node:timers/promises'
import { QueryNotRegisteredError, WorkflowNotFoundError } from '@temporalio/client'
import type { FlowDeclaration } from '#flows/declaration'
import * as messages from '#flows/messages'
import { sendQuery, toResult, within, withSignal } from './calls.ts'
import { FlowCallError, withCause } from './causes.ts'
import { changesSince, nothingSeen, readCursor, shipmentChanges } from './changes.ts'
import type { EndTarget } from './end.ts'
import type { NameOf } from './flowTypes.ts'
import { NewEvents } from './newEvents.ts'
import { refused, unknownCase } from './refusals.ts'
import type { Watched } from './results.ts'
import type { WatchOptions } from './types.ts'

/** Temporal ends a long poll after 20 to 60 seconds. Milliseconds. */
const pollTimeout = 70_000

/** Milliseconds. */
const queryTimeout = 10_000

/** Backoff after a call without a response, in milliseconds. */
const initialInterval = 200
const maximumInterval = 10_000

/** Implements `FlowClient.watch`. */
export async function* watch<Name extends NameOf<Own>, Own extends FlowDeclaration>(
  { client, taskQueue, handle }: EndTarget<Name, Own>,
  caseNo: string,
  { signal, after }: WatchOptions,
): AsyncGenerator<Watched<Name, Own>, void, undefined> {
  const known = after === undefined ? nothingSeen : readCursor(after)
  if (known === undefined) {
    yield refused('InvalidCursor', 'after must be the cursor of an earlier watch.')
    return
  }
  let seen = known
  const events = new NewEvents(client, caseNo)
  const call = <Response>(timeout: number, send: () => Promise<Response>) =>
    withCause(client, { caseNo, taskQueue }, () => withSignal(client, signal, () => within(client, timeout, send)))
  const readStatus = () => call(queryTimeout, () => sendQuery(client, () => handle.query(messages.status)))
  const readEnd = async () => ({ kind: 'Ended' as const, result: await call(queryTimeout, () => handle.result()) })
  for (let interval = 0; ; ) {
    try {
      const news = await call(pollTimeout, () => events.next())
      const status = news === 'changed' ? await readStatus() : undefined
      const end = news === 'ended' ? await toResult(client, caseNo, readEnd) : undefined
      interval = 0
      // The end of a flow comes with its result.
      const changes = status && status.state !== 'ended' ? changesSince(seen, status) : []
      const last = end?.kind === 'Ended' ? shipmentChanges(seen, end.result.shipments) : []
      for (const change of [...changes, ...last]) {
        seen = readCursor(change.cursor) ?? seen
        yield change
      }
      if (end !== undefined) return yield end
    } catch (error) {
      if (error instanceof WorkflowNotFoundError || error instanceof QueryNotRegisteredError || !caseNo.isWellFormed())
        return yield unknownCase(caseNo)
      if (!(error instanceof FlowCallError)) throw error
      const { code, message } = error
      if (code === 'TemporalDenied' || code === 'TemporalFailed' || code === 'DataNotConverted') throw error
      // The next item of an ended flow is its end, which needs no query.
      if (interval === 0 && code !== 'FlowEnded') yield { kind: 'Interrupted', caseNo, code, message }
      events.restart()
      interval = Math.min(Math.max(2 * interval, initialInterval), maximumInterval)
      // The next call throws the reason.
      await setTimeout(interval, undefined, { ...(signal && { signal }) }).catch(() => {})
    }
  }
}
