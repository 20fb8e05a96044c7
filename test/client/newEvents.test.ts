import type { Client } from '@temporalio/client'
import { expect, test } from 'vitest'
import { NewEvents } from '../../client/newEvents.ts'

/** Temporal's numbers of events. */
const [started, taskScheduled, taskStarted, taskCompleted, signaled] = [1, 5, 6, 7, 26]

/** A client of a Temporal that returns these events, a list for each long poll. A real one lets an empty one last a minute. */
function clientOf(polls: readonly (readonly number[])[]): Client {
  const left = polls.map(types => ({
    history: { events: types.map(eventType => ({ eventType })) },
    nextPageToken: new Uint8Array([1]),
  }))
  const workflowService = { getWorkflowExecutionHistory: async () => left.shift() }
  return { options: { namespace: 'default' }, workflowService } as unknown as Client
}

const first = [started, taskScheduled, taskStarted, taskCompleted]

test.each([
  ['a task that no worker takes, which a query then explains', [first, [signaled, taskScheduled], []], 'changed'],
  ['a task that no worker has taken yet', [first, [signaled, taskScheduled]], 'unchanged'],
  ['a task that a worker has taken', [first, [taskScheduled, taskStarted], []], 'unchanged'],
  ['a task that has completed', [first, [taskScheduled, taskStarted, taskCompleted]], 'changed'],
  ['no event since a task that has completed', [first, []], 'unchanged'],
  ['the first events', [[started, taskScheduled]], 'changed'],
])('the news of %s', async (_, polls, news) => {
  const events = new NewEvents(clientOf(polls), 'I-1')
  for (const _poll of polls.slice(1)) await events.next()
  expect(await events.next()).toBe(news)
})
