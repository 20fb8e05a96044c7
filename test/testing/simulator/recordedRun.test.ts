import { expect, test } from 'vitest'
import { RecordedRun } from '../../../testing/simulator/recordedRun.ts'
import type { Server } from '../../../testing/simulator/server.ts'
import type { TimeLineEvent } from '../../../testing/simulator/timeLine.ts'

const timer: TimeLineEvent = { kind: 'timerStarted', summary: 'Next deadline', length: 1_000 }

test('a replay gets the same time and uuids, and starts nothing again', async () => {
  const { run, noted } = record()
  const server = run.createServer()
  const first = [server.now(), server.uuid()]
  server.note(timer)
  const started = server.begin(0, () => ({ cancel: () => undefined }))
  await run.replay(async () => {
    expect([server.now(), server.uuid()]).toEqual(first)
    server.note(timer)
    server.arrive({ arrival: { kind: 'childStarted' }, events: 1, run: () => undefined })
    expect(server.begin(0, () => expect.fail('it is started again'))).toBe(started)
  })
  expect(noted).toEqual([timer])
  expect(server.uuid()).not.toBe(first[1])
})

test.each([
  ['something else', [{ ...timer, length: 2_000 }]],
  ['less', []],
  ['more', [timer, timer]],
] as const)('a replay that does %s fails', async (_, replayed) => {
  const { run } = record()
  const server = run.createServer()
  server.note(timer)
  const replay = run.replay(async () => {
    for (const timeLineEvent of replayed) server.note(timeLineEvent)
  })
  await expect(replay).rejects.toThrow('The replay of the flow differs from its history')
})

/** A run with one task. */
function record() {
  let uuids = 0
  const noted: TimeLineEvent[] = []
  const refuse = () => expect.fail('it must not be called')
  const server: Server = {
    now: () => 1_000 + uuids,
    uuid: () => `uuid-${++uuids}`,
    note: timeLineEvent => noted.push(timeLineEvent),
    record: refuse,
    noteCallback: refuse,
    arrive: refuse,
    startTimer: refuse,
    startActivity: refuse,
    startChild: refuse,
  }
  const startTime = new Date(0)
  const ids = { workflowId: 'w', flow: 'issue', runId: 'r', firstRunId: 'r', continuedFrom: undefined, startTime }
  const run = new RecordedRun(server, { ids: { ...ids, suggestedAt: 4_096 }, args: [], attributes: {} })
  run.addTask([])
  return { run, noted }
}
