import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  addWorkingTime,
  type Calendars,
  calendarOf,
  calendarsSchema,
  findTimeZone,
  toNextTime,
} from '#activities/calendars'
import { naiveCount, naiveNext } from '../../support/calendars/naive.ts'

type Hours = Readonly<Record<string, readonly string[]>>

const read = (hours: Hours, dates: Hours = {}) =>
  calendarOf(calendarsSchema.parse({ default: { hours, dates } }) satisfies Calendars, null)

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday']
const everyDay = (range: string) => Object.fromEntries([...weekdays, 'saturday', 'sunday'].map(day => [day, [range]]))
const office = Object.fromEntries(weekdays.map(day => [day, ['09:00-17:00']]))
const christmas = { '2026-12-24': ['09:00-13:00'], '2026-12-25': [], '2027-01-01': [] }

const minutes = (clock: string) => {
  const [hour = 0, minute = 0] = clock.split(':').map(Number)
  return hour * 60 + minute
}
const iso = (instant: number) => new Date(instant).toISOString().replace(':00.000Z', 'Z')

describe('the next time of the clock', () => {
  test.each`
    place                    | clock      | from                   | next                   | reason
    ${'Europe/Amsterdam'}    | ${'09:00'} | ${'2026-11-23T07:00Z'} | ${'2026-11-23T08:00Z'} | ${'today'}
    ${'Europe/Amsterdam'}    | ${'09:00'} | ${'2026-11-23T08:00Z'} | ${'2026-11-24T08:00Z'} | ${'tomorrow, if it is this time'}
    ${'Europe/Amsterdam'}    | ${'09:00'} | ${'2026-12-31T12:00Z'} | ${'2027-01-01T08:00Z'} | ${'in the next year'}
    ${'Europe/Amsterdam'}    | ${'02:30'} | ${'2026-03-28T12:00Z'} | ${'2026-03-29T01:00Z'} | ${'the end of a gap, in the north'}
    ${'Europe/Amsterdam'}    | ${'02:30'} | ${'2026-10-24T12:00Z'} | ${'2026-10-25T00:30Z'} | ${'the first of two, in the north'}
    ${'Europe/Amsterdam'}    | ${'02:30'} | ${'2026-10-25T01:00Z'} | ${'2026-10-26T01:30Z'} | ${'not the second of two'}
    ${'America/New_York'}    | ${'02:30'} | ${'2026-03-07T12:00Z'} | ${'2026-03-08T07:00Z'} | ${'the end of a gap, west of Greenwich'}
    ${'America/New_York'}    | ${'01:30'} | ${'2026-10-31T12:00Z'} | ${'2026-11-01T05:30Z'} | ${'the first of two, west of Greenwich'}
    ${'Australia/Sydney'}    | ${'02:30'} | ${'2026-10-03T00:00Z'} | ${'2026-10-03T16:00Z'} | ${'the end of a gap, in the south'}
    ${'Australia/Sydney'}    | ${'02:30'} | ${'2026-04-04T00:00Z'} | ${'2026-04-04T15:30Z'} | ${'the first of two, in the south'}
    ${'Australia/Lord_Howe'} | ${'02:15'} | ${'2026-10-03T00:00Z'} | ${'2026-10-03T15:30Z'} | ${'the end of a gap of half an hour'}
    ${'Australia/Lord_Howe'} | ${'01:45'} | ${'2026-04-04T00:00Z'} | ${'2026-04-04T14:45Z'} | ${'the first of two, half an hour apart'}
    ${'America/Santiago'}    | ${'00:00'} | ${'2026-09-05T12:00Z'} | ${'2026-09-06T04:00Z'} | ${'a midnight that clocks skip'}
    ${'Pacific/Apia'}        | ${'09:00'} | ${'2011-12-29T20:00Z'} | ${'2011-12-30T10:00Z'} | ${'a day that clocks skip'}
    ${'UTC'}                 | ${'09:00'} | ${'2028-02-28T10:00Z'} | ${'2028-02-29T09:00Z'} | ${'on a leap day'}
  `('$clock in $place after $from is $next: $reason', ({ place, clock, from, next }) => {
    expect(iso(toNextTime(null, findTimeZone(place), Date.parse(from), minutes(clock)))).toBe(next)
  })

  test.each`
    from                   | next                   | reason
    ${'2026-11-23T07:00Z'} | ${'2026-11-23T08:00Z'} | ${'Monday, early'}
    ${'2026-11-27T09:00Z'} | ${'2026-11-30T08:00Z'} | ${'Friday'}
    ${'2026-12-24T09:00Z'} | ${'2026-12-28T08:00Z'} | ${'before a holiday and a weekend'}
    ${'2026-12-31T12:00Z'} | ${'2027-01-04T08:00Z'} | ${'before the new year'}
  `('09:00 of a working day after $from is $next: $reason', ({ from, next }) => {
    const calendar = read(office, christmas)
    expect(iso(toNextTime(calendar, 'Europe/Amsterdam', Date.parse(from), 540))).toBe(next)
  })
})

describe('working time', () => {
  const early = everyDay('01:00-05:00')
  test.each`
    hours                                                    | length | from                   | end                    | reason
    ${office}                                                | ${16}  | ${'2026-11-20T15:00Z'} | ${'2026-11-24T15:00Z'} | ${'over a weekend'}
    ${office}                                                | ${8}   | ${'2026-11-23T08:00Z'} | ${'2026-11-23T16:00Z'} | ${'ends with the day, not with the next one'}
    ${office}                                                | ${0.5} | ${'2026-11-22T10:00Z'} | ${'2026-11-23T08:30Z'} | ${'from a day off'}
    ${office}                                                | ${16}  | ${'2026-12-23T15:00Z'} | ${'2026-12-29T11:00Z'} | ${'over Christmas, with a short day'}
    ${office}                                                | ${8}   | ${'2026-12-31T12:00Z'} | ${'2027-01-04T12:00Z'} | ${'over the end of the year'}
    ${office}                                                | ${8}   | ${'2026-03-27T12:00Z'} | ${'2026-03-30T11:00Z'} | ${'over the start of summer time'}
    ${early}                                                 | ${3}   | ${'2026-03-29T00:00Z'} | ${'2026-03-29T03:00Z'} | ${'a gap has no working time'}
    ${early}                                                 | ${3.5} | ${'2026-03-29T00:00Z'} | ${'2026-03-29T23:30Z'} | ${'nor is it made up for'}
    ${early}                                                 | ${5}   | ${'2026-10-24T23:00Z'} | ${'2026-10-25T04:00Z'} | ${'an hour that comes twice counts twice'}
    ${everyDay('00:00-02:30')}                               | ${2.5} | ${'2026-10-24T22:00Z'} | ${'2026-10-25T00:30Z'} | ${'hours end at the first of two times'}
    ${everyDay('02:30-03:30')}                               | ${0.5} | ${'2026-03-28T12:00Z'} | ${'2026-03-29T01:30Z'} | ${'hours begin after the gap'}
    ${{ monday: ['09:00-12:00', '13:00-17:00'] }}            | ${4}   | ${'2026-11-23T08:00Z'} | ${'2026-11-23T13:00Z'} | ${'around a break'}
    ${{ monday: ['13:00-17:00', '09:00-12:00'] }}            | ${4}   | ${'2026-11-23T08:00Z'} | ${'2026-11-23T13:00Z'} | ${'around a break, in any order'}
    ${{ monday: ['22:00-24:00'], tuesday: ['00:00-06:00'] }} | ${3}   | ${'2026-11-23T08:00Z'} | ${'2026-11-24T00:00Z'} | ${'past midnight'}
  `('$length h from $from end at $end: $reason', ({ hours, length, from, end }) => {
    const calendar = read(hours, christmas)
    expect(iso(addWorkingTime(calendar, 'Europe/Amsterdam', Date.parse(from), length * 3_600_000))).toBe(end)
  })
})

describe('days off', () => {
  const only = read({}, { '2027-12-25': ['09:00-17:00'] })
  const resolve = {
    'working time': (from: number) => addWorkingTime(only, 'UTC', from, 60_000),
    'a time of working days': (from: number) => toNextTime(only, 'UTC', from, 541),
  }

  test.each(Object.entries(resolve))('may be 399 for %s', (_, end) => {
    expect(iso(end(Date.parse('2026-11-21T12:00Z')))).toBe('2027-12-25T09:01Z')
  })

  test.each(Object.entries(resolve))('may not be 400 for %s', (_, end) => {
    expect(() => end(Date.parse('2026-11-20T12:00Z'))).toThrow(
      'LOCKERFLOW_CALENDARS: must have a working day within 400 days, but all days until 2027-12-24 are off.',
    )
  })

  test('are counted from the last working day', () => {
    const two = read({}, { '2026-11-20': ['09:00-17:00'], '2027-12-25': ['09:00-17:00'] })
    const from = Date.parse('2026-11-20T16:00Z')
    expect(iso(addWorkingTime(two, 'UTC', from, 3_660_000))).toBe('2027-12-25T09:01Z')
  })

  test('do not let little working time go on for ever', () => {
    const short = read({ monday: ['09:00-09:01'] })
    expect(() => addWorkingTime(short, 'UTC', 0, 1_000 * 3_600_000)).toThrow('must pass within ten years')
  })
})

test('a time zone that Node does not know is an error', () => {
  expect(() => findTimeZone('Mars/Phobos')).toThrow('timeZone: must be a time zone such as Europe/Amsterdam')
})

describe('any calendar, at any change of the clocks', () => {
  const places = [
    ...['Europe/Amsterdam', 'America/New_York', 'Australia/Sydney', 'Australia/Lord_Howe', 'America/Santiago'],
    ...['Asia/Kolkata', 'UTC'],
  ]
  const changes = ['2026-03-08', '2026-03-29', '2026-04-05', '2026-09-06', '2026-10-04', '2026-10-25', '2026-11-01']
  const range = fc
    .uniqueArray(
      fc.oneof(
        fc.nat(1440),
        fc.integer({ min: 0, max: 96 }).map(quarter => quarter * 15),
      ),
      {
        minLength: 2,
        maxLength: 4,
      },
    )
    .map(times => times.toSorted((a, b) => a - b))
    .map(([a = 0, b = 0, c, d]) => [
      { from: a, to: b },
      ...(c === undefined || d === undefined ? [] : [{ from: c, to: d }]),
    ])
  const situation = fc.record({
    place: fc.constantFrom(...places),
    from: fc
      .tuple(fc.constantFrom(...changes, '2026-12-30'), fc.integer({ min: -2_000, max: 1_440 }))
      .map(([day, minute]) => Date.parse(`${day}T00:00Z`) + minute * 60_000),
    calendar: fc
      .tuple(fc.array(fc.option(range, { freq: 4 }), { minLength: 7, maxLength: 7 }), range)
      .filter(([days]) => days.filter(Boolean).length > 3)
      .map(([days, special]) => ({
        hours: new Map(days.map((ranges, index) => [index + 1, ranges ?? []])),
        dates: { '2026-12-31': special, '2027-01-01': [], '2026-03-29': special, '2026-10-04': special },
      })),
  })

  test('counts as minute by minute', () => {
    fc.assert(
      fc.property(situation, fc.integer({ min: 1, max: 900 }), ({ place, from, calendar }, length) => {
        const end = addWorkingTime(calendar, place, from, length * 60_000)
        // Beyond two weeks the count takes long, and there is no change of the clocks.
        fc.pre(end - from < 14 * 86_400_000)
        expect(iso(end)).toBe(iso(naiveCount(calendar, place, from, length)))
      }),
      { numRuns: 100 },
    )
  })

  test('finds the next time as minute by minute', () => {
    fc.assert(
      fc.property(situation, fc.nat(1439), fc.boolean(), ({ place, from, calendar }, clock, workingDay) => {
        const days = workingDay ? calendar : null
        expect(iso(toNextTime(days, place, from, clock))).toBe(iso(naiveNext(days, place, from, clock)))
      }),
      { numRuns: 100 },
    )
  })
})
