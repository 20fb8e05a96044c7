import { asyncLocalStorage, type HandlerContext } from '@temporalio/nexus/lib/context.js'
import type { StartOperationContext } from 'nexus-rpc'
import { expect, test } from 'vitest'
import { decideHandler } from '../../../worker/nexus/messages.ts'
import { book } from '../../support/flows/booking.ts'
import { growOld } from '../../support/flows/longHistories.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

/** One attempt of an operation, as the worker makes it. Temporal repeats an attempt without a response under the same id. */
function attempt(requestId: string, caseNo: string) {
  const { client, taskQueue } = world
  const { namespace } = client.options
  const place = { client, taskQueue, namespace, endpoint: 'flows' } as HandlerContext
  const context = { requestId, inboundLinks: [], outboundLinks: [] } as unknown as StartOperationContext
  const input = { caseNo, decision: { decision: 'keepWaiting' } } as const
  return asyncLocalStorage.run(place, () => decideHandler(context, input))
}

test('a decision that is repeated after the flow has continued as new returns its response, and decides once', async () => {
  const { caseNo } = await book(world, 'stock', { dropOff: '300ms' })
  await world.statusWhen(caseNo, ({ overdue }) => overdue)
  expect(await attempt('request-1', caseNo)).toMatchObject({ state: 'waiting' })
  await growOld(world, caseNo)
  expect(await attempt('request-1', caseNo)).toMatchObject({ state: 'waiting' })
  await expect(attempt('request-2', caseNo)).rejects.toThrow('nothing to decide')
  await world.flows.cancel(caseNo, 'over')
})
