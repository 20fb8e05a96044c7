import { describe, expect, test } from 'vitest'
import { informationLines, type LogEvent, logEvents } from '#platform/logs'
import { logLines, unreadCalls } from '../../../cli/documentation/logLines.ts'
import { outcomes } from '../../../gateway/outcomes.ts'
import { readSources } from '../../project/sources.ts'

const events: Readonly<Record<string, LogEvent>> = logEvents
const lines = logLines()
const actionable = lines.filter(({ level }) => level !== 'info')

/** Ids that a table of the code computes: those of the SDK's lines, and of the outcomes of callbacks. */
const computed = [
  ...['activity-failed', 'flow-failed', 'workflow-task-failed', 'temporal-sdk'],
  ...Object.values(outcomes).flatMap(({ logId }) => logId ?? []),
]

describe('the table of log lines', () => {
  test.each(actionable.filter(({ level }) => level !== 'by outcome'))(
    'has "$text" of $process as it is written',
    line => {
      const event = events[line.logId ?? '']
      expect(event, `${line.process} logs "${line.text}" without a logId of platform/logs/table.ts`).toBeDefined()
      expect({ level: event?.level, text: event?.text }).toEqual({ level: line.level, text: line.text })
      expect(event?.processes).toContain(line.process)
    },
  )

  test('has no id that the code never writes', () => {
    const written = new Set([...actionable.map(({ logId }) => logId), ...computed])
    expect(Object.keys(events).filter(id => !written.has(id))).toEqual([])
  })

  test('has the level of each outcome of a callback', () => {
    for (const { level, logId } of Object.values(outcomes)) {
      if (logId === undefined) expect(level).toBe('info')
      else expect(events[logId]).toMatchObject({ level, text: expect.stringMatching(/^callback (?!received)/) })
    }
  })

  test('has a meaning for every line of information', () => {
    const texts = lines.filter(({ level }) => level === 'info' || level === 'by outcome').map(({ text }) => text)
    expect(Object.keys(informationLines).toSorted()).toEqual([...new Set(texts)].toSorted())
  })

  test.each(Object.entries(events))('says what to do at %s', (id, { meaning, action }) => {
    expect(id).toMatch(/^[a-z]+(-[a-z]+)*$/)
    for (const sentence of [meaning, action]) expect(sentence).toMatch(/^\S.{9,}/)
  })
})

test('every call of a log is read: its fields and its text are literals', () => {
  const unread = ['service', 'gateway', 'cli/audit']
    .flatMap(readSources)
    .filter(({ text }) => unreadCalls(text) > 0)
    .map(({ path }) => path)
  expect(unread).toEqual([])
})

test.each(["log.warn('with a ' + name)", 'settings.log.error(line)', 'log.fatal({ logId: id(x) }, `text`)'])(
  'the call %s is found as unread',
  source => expect(unreadCalls(source)).toBe(1),
)
