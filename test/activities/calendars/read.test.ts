import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { addWorkingTime, calendarOf, readCalendars } from '#activities/calendars'

const folder = mkdtempSync(join(tmpdir(), 'calendars-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const file = join(folder, 'calendars.yaml')
function read(text: string) {
  writeFileSync(file, text)
  return readCalendars(file)
}

describe('a calendar file', () => {
  test('gives a pick up point its own hours, and its own dates beside those of all', () => {
    const calendars = read(`
      default:
        hours: { monday: [09:00-17:00] }
        dates: { 2026-11-30: [], 2026-12-07: [] }
      pickUpPoints:
        pup-1: { hours: { monday: [10:00-24:00] }, dates: { 2026-12-07: [12:00-13:00] } }
        pup-2: { dates: { 2026-12-07: [12:00-13:00] } }
    `)
    const end = (pupUid: string | null, from: string) =>
      new Date(addWorkingTime(calendarOf(calendars, pupUid), 'UTC', Date.parse(from), 60_000)).toISOString()
    const monday = '2026-11-23T00:00Z'
    expect(end(null, monday)).toBe('2026-11-23T09:01:00.000Z')
    expect(end('pup-1', monday)).toBe('2026-11-23T10:01:00.000Z')
    expect(end('pup-2', monday)).toBe('2026-11-23T09:01:00.000Z')
    expect(end('constructor', monday)).toBe('2026-11-23T09:01:00.000Z')
    const holidays = '2026-11-30T00:00Z'
    expect(end(null, holidays)).toBe('2026-12-14T09:01:00.000Z')
    expect(end('pup-1', holidays)).toBe('2026-12-07T12:01:00.000Z')
    expect(end('pup-2', holidays)).toBe('2026-12-07T12:01:00.000Z')
  })

  test('may be JSON', () => {
    expect(read('{ "timeZone": "Asia/Tokyo", "default": { "hours": {} } }')).toMatchObject({ timeZone: 'Asia/Tokyo' })
  })

  const week = 'hours: { monday: [09:00-17:00] }'
  test.each([
    ['- 1', 'the file: must be of the type object.'],
    ['{}', 'default: must be given.'],
    ['default: {}', 'default.hours: must be given.'],
    [`default: { ${week} }\nholidays: []`, 'holidays: is not a field of calendars.'],
    ['default: { hours: { mon: [] } }', 'default.hours.mon: is not a field of calendars.'],
    ['default: { hours: { monday: 09:00-17:00 } }', 'default.hours.monday: must be a list of hours such as'],
    ['default: { hours: { monday: [9-17] } }', 'default.hours.monday.0: must be hours such as "09:00-17:30"'],
    ['default: { hours: { monday: [09:00-25:00] } }', 'default.hours.monday.0: must be hours such as "09:00-17:30"'],
    ['default: { hours: { monday: [22:00-06:00] } }', 'default.hours.monday.0: must end after it begins'],
    ['default: { hours: { monday: [12:00-14:00, 09:00-13:00] } }', 'default.hours.monday: must be hours that do not'],
    [`default: { ${week}, dates: { 2026-02-30: [] } }`, 'default.dates.2026-02-30: must be a date such as 2026-12-25.'],
    [`default: { ${week}, dates: { 2026-12: [] } }`, 'default.dates.2026-12: must be a date such as 2026-12-25.'],
    [`timeZone: Mars\ndefault: { ${week} }`, 'timeZone: must be a time zone such as Europe/Amsterdam.'],
    [`default: { ${week} }\npickUpPoints: { a: { hour: {} } }`, 'pickUpPoints.a.hour: is not a field of calendars.'],
  ])('%s is refused by the field', (text, problem) => {
    expect(() => read(text)).toThrow(`LOCKERFLOW_CALENDARS: ${file}: ${problem}`)
  })

  test('names each wrong field on a line of its own', () => {
    expect(() => read('timeZone: Mars\ndefault: {}')).toThrow(/timeZone: .*\n.*default\.hours: must be given\.$/)
  })

  test.each([
    ['a: [', 'must be a file in YAML or JSON'],
    ['default: {}\ndefault: {}', 'Map keys must be unique'],
  ])('%s is not YAML', (text, problem) => {
    expect(() => read(text)).toThrow(problem)
  })

  test('must exist', () => {
    expect(() => readCalendars(join(folder, 'none.yaml'))).toThrow('LOCKERFLOW_CALENDARS: must be a file')
  })
})
