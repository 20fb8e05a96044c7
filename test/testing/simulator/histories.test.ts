import { afterAll, expect, test } from 'vitest'
import { closeWorlds, openSimulation, type RunResult } from '#testing/simulator'
import type { TimeLineEvent } from '../../../testing/simulator/timeLine.ts'
import { readHistories } from '../../replay/histories.ts'
import { deliverAs, foreignUid } from '../../support/simulator/recordedDelivery.ts'
import { type RecordedRun, readRun } from '../../support/simulator/recordedRun.ts'
import { type RecordedStory, recordedCase, stories } from '../../support/simulator/recordedStories.ts'
import { toLines } from '../../support/simulator/runLines.ts'

const histories = readHistories()

afterAll(closeWorlds)

/** The workflows that are no flows: the simulator stands for them. */
const others = /^(booking|sweep|notification)-/

/** The histories of a story: its runs, oldest first. */
function runsOf(name: string) {
  const names = [...histories.keys()].filter(
    each => each === name || (/^-\d+$/.test(each.slice(name.length)) && each.startsWith(name)),
  )
  return names.toSorted().map(each => readRun(histories.get(each)?.history as never))
}

test('every recorded flow has a story', () => {
  const told = Object.keys(stories)
  const left = [...histories.keys()].filter(name => !others.test(name) && !told.includes(name.replace(/-\d+$/, '')))
  expect(left).toEqual([])
  expect(told.filter(name => !histories.has(name))).toEqual([])
})

/** Plays a story with the intervals of polls that chance has given to the recorded flow. */
async function play({ options, start, prepare, faults = [], play }: RecordedStory, recorded: readonly RecordedRun[]) {
  const given = { caseNo: recordedCase, ...start }
  const wanted = findPolls(recorded.flatMap(({ timeLineEvents }) => timeLineEvents))
  const timeLineEvents = recorded.flatMap(run => run.timeLineEvents)
  const runs = findResults(timeLineEvents)
  const first = await openSimulation({ ...options, runs })
  await first.start(given)
  const drawn = findPolls(first.run().timeLine)
  await first.close()
  const factor = (drawn?.initial ?? hour) / hour
  const simulation = await openSimulation({
    ...options,
    runs,
    delivery: deliverAs(recorded),
    replaysEachTask: true,
    ...(wanted && { pollInterval: { initial: wanted.initial / factor, maximum: wanted.maximum / factor } }),
  })
  try {
    for (const fail of faults) simulation.prepare({ fail })
    await prepare?.(simulation)
    await simulation.start(given)
    await play(simulation, timeLineEvents.filter(isForeign).length)
    return simulation.run()
  } finally {
    await simulation.close()
  }
}

/** The results of the activities that no simulation runs. One without a result was under way. */
function findResults(timeLineEvents: readonly TimeLineEvent[]): Record<string, RunResult> {
  const results: Record<string, RunResult> = {
    repair: { returns: {}, takes: '1h' },
    importSuggestions: { returns: {}, takes: '1h' },
  }
  for (const timeLineEvent of timeLineEvents) {
    if (timeLineEvent.kind !== 'activityCompleted') continue
    const { activity, result } = timeLineEvent
    if (result !== undefined && ['printLabel', 'repair', 'importSuggestions'].includes(activity)) {
      results[activity] = { returns: result as RunResult['returns'] }
    }
  }
  return results
}

function isForeign(timeLineEvent: TimeLineEvent): boolean {
  return timeLineEvent.kind === 'signal' && timeLineEvent.argument.shipmentUid === foreignUid
}

const hour = 3_600_000

interface Polls {
  readonly initial: number
  readonly maximum: number
}

/** The intervals of polls in the plan of a flow. */
function findPolls(timeLineEvents: readonly TimeLineEvent[]): Polls | undefined {
  for (const timeLineEvent of timeLineEvents) {
    if (timeLineEvent.kind !== 'activityCompleted') continue
    const { plan, polls } = (timeLineEvent.result ?? {}) as { plan?: { polls: Polls }; polls?: Polls }
    const found = plan?.polls ?? polls
    if (found !== undefined) return found
  }
  return undefined
}

test.each(Object.entries(stories))('%s', async (name, story) => {
  const recorded = runsOf(name)
  const run = await play(story, recorded)
  expect(toLines(run.timeLine)).toEqual(toLines(recorded.flatMap(({ timeLineEvents }) => timeLineEvents)))
})
