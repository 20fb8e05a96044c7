import { Client, type WorkflowClientInterceptor } from '@temporalio/client'
import { expect, test } from 'vitest'
import { createFlowClient } from '#client'
import { requestOf } from '../support/flows/booking.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()

test("the interceptors of the caller's client see every call", async () => {
  const seen: string[] = []
  const note = (name: string) => (input: never, next: (input: never) => Promise<never>) => {
    seen.push(name)
    return next(input)
  }
  const names = ['start', 'startUpdate', 'startUpdateWithStart', 'query', 'describe'] as const
  const interceptor: WorkflowClientInterceptor = Object.fromEntries(names.map(name => [name, note(name)]))
  const { connection, options } = world.client
  const client = new Client({ connection, namespace: options.namespace, interceptors: { workflow: [interceptor] } })
  const flows = createFlowClient(client, { taskQueue: world.taskQueue })
  const caseNo = world.newCase()
  const input = { caseNo, request: requestOf(world, 'stock') as never }

  await flows.startAndWaitForBooking('stock', input)
  await flows.status(caseNo)
  await flows.start('stock', input)
  await flows.watch(caseNo).next()
  await flows.cancel(caseNo, 'over')
  expect(seen).toEqual(['startUpdateWithStart', 'query', 'start', 'describe', 'query', 'startUpdate'])
})
