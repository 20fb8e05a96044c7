import { randomUUID } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { eventually, gate } from '../support/eventually.ts'
import { noticeKey } from '../support/flows/notifications.ts'
import { useFileServer } from '../support/servers/fileServer.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { useWorld } from '../support/world/useWorld.ts'

const taskQueue = `test-${randomUUID()}`
const world = useWorld({ taskQueue })
const files = useFileServer()

const label = {
  name: 'label',
  summary: 'The label is printed.',
  run: 'printLabel',
  with: {},
  keep: {},
  undo: 'nothing',
  timeout: '10m',
} as const
const print: FlowDeclaration = { name: 'print', summary: 'A label is printed.', steps: [label], outputs: {} }
const printHere: FlowDeclaration = { ...print, name: 'printHere', steps: [{ ...label, taskQueue }] }

let printing = 0
let printed: ReturnType<typeof gate>
const unanswered: ServerResponse[] = []
const waiting: { terminate(): Promise<unknown> }[] = []

async function printLabel() {
  printing++
  await printed.opened
  return {}
}

beforeEach(async () => {
  printing = 0
  printed = gate()
  files.serve = response => unanswered.push(response)
  // One slot on each task queue.
  const slots = { maxConcurrentActivities: 1, maxOutsideActivities: 1 }
  const notifications = { url: `${files.url}/notifications`, key: noticeKey }
  await world.restartWorker({ ...slots, notifications, flows: [print, printHere], activities: { printLabel } })
})

afterEach(async () => {
  printed.open()
  files.serve = response => response.writeHead(204).end()
  for (const response of unanswered.splice(0)) response.writeHead(204).end()
  for (const handle of waiting.splice(0)) await handle.terminate()
})

const startFlow = (flow: string, request: object) =>
  world.flows.start(flow as 'issue', { caseNo: world.newCase(0), request } as never)

async function bookAndCancel(): Promise<void> {
  const caseNo = world.newCase()
  const booking = await world.flows.startAndWaitForBooking('stock', { caseNo, request: parcel })
  expect(booking).toMatchObject({ kind: 'Booked' })
  await world.flows.cancel(caseNo, 'over')
}

/** The booking of a flow that no worker runs. */
async function awaitMissing(): Promise<void> {
  const caseNo = `missing-${randomUUID()}`
  const unpolled = { workflowId: toWorkflowId(caseNo), taskQueue: `unpolled-${caseNo}` }
  const flow = await world.client.workflow.start('stock', { ...unpolled, args: [{ caseNo, request: parcel }] })
  const options = { workflowId: `awaits-${caseNo}`, taskQueue, args: [{ caseNo, key: 'one' }] }
  const booking = await world.client.workflow.start('booking', options)
  await eventually(async () => {
    const [activity] = (await booking.describe()).raw.pendingActivities ?? []
    return activity?.lastStartedTime != null
  })
  waiting.push(flow, booking)
}

test.each([
  [
    'a file',
    async () => {
      await startFlow('importAccountSuggestions', { url: `${files.url}/slow.csv`, reference: null })
      await eventually(() => files.asked.includes('/slow.csv'))
    },
  ],
  [
    'an activity of a team',
    async () => {
      await startFlow('print', {})
      await eventually(() => printing > 0)
    },
  ],
  [
    'one whose step names the task queue of the flows',
    async () => {
      await startFlow('printHere', {})
      await eventually(() => printing > 0)
    },
  ],
  ['a booking of another flow', awaitMissing],
])('%s waits in a slot of its own, so a flow books meanwhile', async (_, hold) => {
  await hold()
  await bookAndCancel()
})

test('a receiver of notifications that does not respond waits in a slot of its own', async () => {
  await bookAndCancel()
  // The notification of the flow's end.
  await eventually(() => files.asked.includes('/notifications'))
  await bookAndCancel()
})
