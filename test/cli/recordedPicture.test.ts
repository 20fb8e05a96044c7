import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { FlowPicture } from '#flows'
import { runDiagram, runSvg } from '#flows/check'
import { readHistoryPicture } from '../../cli/flows/recordedPicture.ts'
import { readRecord } from '../../cli/flows/recordedRun.ts'
import { root } from '../project/sources.ts'
import { temporaryFile } from '../support/hardware/temporaryFile.ts'
import { bundleFile } from '../support/world/bundle.ts'
import { installTestRuntime } from '../support/world/runtime.ts'

interface Event {
  readonly eventType: string
  readonly [attributes: string]: unknown
}

let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  installTestRuntime()
  environment = { LOCKERFLOW_WORKFLOW_BUNDLE: await bundleFile() }
})

async function eventsOf(name: string): Promise<readonly Event[]> {
  const text = await readFile(join(root, 'test/histories', `${name}.json`), 'utf8')
  return (JSON.parse(text) as { events: Event[] }).events
}

/** The events before a callback. @param number from the first one, or from the last one if negative */
function beforeSignal(events: readonly Event[], number: number): readonly Event[] {
  const signals = events.flatMap(({ eventType }, index) => (eventType.endsWith('_SIGNALED') ? [index] : []))
  return events.slice(0, signals.at(number))
}

function pictureOf(events: readonly Event[]): Promise<FlowPicture> {
  return readHistoryPicture(temporaryFile('history.json', JSON.stringify({ events })), environment)
}

const statesOf = ({ steps }: FlowPicture) => steps.map(({ name, state }) => `${name} ${state}`)

/** Expects a line that matches in the diagram and in the SVG. */
function expectLine(picture: FlowPicture, line: string): void {
  expect(runDiagram(picture)).toMatch(new RegExp(`<br/>${line}"\\]`))
  expect(runSvg(picture)).toMatch(new RegExp(`>${line}</text>`))
}

const minute = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`

describe('a history that ends before its flow does', () => {
  test('shows the current step with its window, since its deadline is not in it', async () => {
    const picture = await pictureOf(beforeSignal(await eventsOf('issue-completed'), -1))
    expect(statesOf(picture)).toEqual(['booking done', 'dropOff done', 'pickUp current'])
    expect(picture).toMatchObject({ outcome: null, until: null, overdue: false })
    expectLine(picture, `since ${minute}, window 3d`)
    expect(runDiagram(picture)).toContain('  s2 -.-> finish\n')
  })

  test('shows that the current step is overdue', async () => {
    const events = await eventsOf('issue-overdue-in-pickUp')
    const decision = events.findLastIndex(({ eventType }) => eventType.endsWith('_UPDATE_ACCEPTED'))
    const task = events.findLastIndex(
      ({ eventType }, index) => index < decision && eventType.endsWith('TASK_SCHEDULED'),
    )
    const picture = await pictureOf(events.slice(0, task))
    expect(statesOf(picture)).toEqual(['booking done', 'dropOff done', 'pickUp current'])
    expect(picture).toMatchObject({ outcome: null, until: null, overdue: true })
    expectLine(picture, `overdue, since ${minute}, window 400ms`)
  })

  test('shows the steps that the run before it has left, and its current step', async () => {
    const name = 'issueFromStockAndSubsequentIntakeAndCircularStock-continued-as-new-before-the-issue-2'
    const picture = await pictureOf(beforeSignal(await eventsOf(name), 0))
    const steps = ['booking done', 'ready done', 'pickUp current', 'return ahead', 'restocked ahead']
    expect(statesOf(picture)).toEqual(steps)
    expectLine(picture, `since ${minute}, window 3d`)
  })

  test('shows the deadline of a run that continued as new', async () => {
    const picture = await pictureOf(await eventsOf('issue-continued-as-new-with-notifications'))
    expect(statesOf(picture)).toEqual(['booking done', 'dropOff done', 'pickUp current'])
    const { until, steps } = picture
    expect(Date.parse(String(until)) - Date.parse(String(steps[2]?.since))).toBe(3 * 86_400_000)
    expectLine(picture, `since ${minute}, until ${minute}`)
  })
})

describe('the history of an ended flow', () => {
  test('that continued as new shows the steps that the run before it has left', async () => {
    const picture = await pictureOf(await eventsOf('issue-continued-as-new-with-notifications-2'))
    expect(statesOf(picture)).toEqual(['booking done', 'dropOff done', 'pickUp done'])
    expect(picture).toMatchObject({ outcome: 'completed', until: null })
    expectLine(picture, `reached ${minute}`)
    expect(runDiagram(picture)).toContain('  s2 ==>|"reached"| finish\n')
  })

  test.each([
    ['Terminated', 'TERMINATED', 'terminated'],
    ['TimedOut', 'TIMED_OUT', 'timed out'],
  ])('by the event %s waits in no step', async (name, type, outcome) => {
    const events = beforeSignal(await eventsOf('issue-completed'), -2)
    const end = {
      eventType: `EVENT_TYPE_WORKFLOW_EXECUTION_${type}`,
      eventId: String(events.length + 1),
      eventTime: new Date().toISOString(),
      [`workflowExecution${name}EventAttributes`]: {},
    }
    const picture = await pictureOf([...events, end])
    expect(statesOf(picture)).toEqual(['booking done', 'dropOff done', 'pickUp leftOut'])
    expect(picture).toMatchObject({ outcome, until: null, overdue: false })
    expectLine(picture, outcome)
    const mermaid = runDiagram(picture)
    expect(mermaid).toContain(`  s1 ==>|"${outcome}"| finish\n`)
    expect(mermaid).toContain(`  finish(["${outcome}"])\n`)
    expect(mermaid).not.toContain('-.->')
  })

  test('that a refusal ended shows the step of the refusal', async () => {
    const picture = await pictureOf(await eventsOf('stock-refused'))
    expect(statesOf(picture)).toEqual(['booking done', 'dropOff leftOut'])
    expectLine(picture, 'failed')
  })
})

test.each([
  ['EVENT_TYPE_WORKFLOW_EXECUTION_TERMINATED', 'terminated'],
  ['WorkflowExecutionTimedOut', 'timed out'],
  ['EVENT_TYPE_WORKFLOW_EXECUTION_CANCELED', 'cancelled'],
  ['EVENT_TYPE_CHILD_WORKFLOW_EXECUTION_COMPLETED', null],
  ['EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_COMPLETED', null],
  ['EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW', null],
])('the event %s is the outcome %s', async (eventType, outcome) => {
  const events = [...(await eventsOf('issue-completed')).slice(0, -1), { eventType }]
  expect((await readRecord({ events }, undefined)).outcome).toBe(outcome)
})
