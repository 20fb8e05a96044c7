import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readCalendars } from '#activities/calendars'
import { checkFlows, describeFault } from '#flows/check'
import { checkOwnFlows, withCheckedResults } from '../../worker/ownFlows.ts'
import { calendars, officeHours, untilDistantTime } from '../support/flows/calendarFlows.ts'

const folder = mkdtempSync(join(tmpdir(), 'calendars-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('a worker', () => {
  test('refuses flows that need a calendar without one, by step and field', () => {
    expect(() => checkOwnFlows({ flows: [untilDistantTime] }, [])).toThrow(
      'untilDistantTime.dropOff.window.workingDay: must have a calendar: LOCKERFLOW_CALENDARS of this worker names none.',
    )
  })

  test('accepts them with a calendar', () => {
    expect(() => checkOwnFlows({ flows: [untilDistantTime, officeHours], calendars }, [])).not.toThrow()
  })

  test('needs none for a time of the clock', () => {
    const [, , , , after] = officeHours.steps
    const clock = { ...after, sleep: { until: { next: '09:00' } } }
    const flow = { name: 'clock', summary: 'Time passes.', input: {}, steps: [clock] }
    expect(checkFlows([flow], { calendars: false }).map(describeFault)).toEqual([])
  })
})

test('the file of the documentation is valid', async () => {
  const { readFile } = await import('node:fs/promises')
  const page = await readFile(new URL('../../docs/how-to/declare-a-flow.md', import.meta.url), 'utf8')
  const [, yaml = ''] = /```yaml\n(# [^\n]*calendars\.schema\.json\n[\s\S]*?)```/.exec(page) ?? []
  const file = join(folder, 'calendars.yaml')
  writeFileSync(file, yaml)
  expect(readCalendars(file)).toMatchObject({ timeZone: 'Europe/Amsterdam' })
})

test('the bytes that an activity returns count as what they are', async () => {
  const bytes = new Uint8Array(1_000_000)
  const { scan } = withCheckedResults({ scan: () => bytes })
  expect(await scan?.(undefined as never, undefined as never)).toBe(bytes)
})
