import { describe, expect, test } from 'vitest'
import { readArguments } from '../../cli/lockers/arguments.ts'
import { formatLockers } from '../../cli/lockers/report.ts'

test('a list shows the lockers that take no bookings, and all of one pick up point', () => {
  const since = '2026-01-05T08:00:00.000'
  const locker = { lockerUid: 'l', isBooked: false, outOfService: null, isRetired: false }
  const point = {
    ...{ pupUid: 'p', name: 'Square', outOfService: null, isRetired: false },
    lockers: [
      { ...locker, name: '1' },
      { ...locker, name: '2', isBooked: true },
      { ...locker, name: '3', outOfService: { reason: 'door bent', since } },
      { ...locker, name: '4', isBooked: true, isRetired: true },
    ],
  }
  const broken = [`  3  out of service since ${since}: door bent`, '  4  booked  retired']
  expect(formatLockers([point], false)).toEqual(['p  Square  1 of 4 lockers free', ...broken])
  expect(formatLockers([point], true)).toEqual(['p  Square  1 of 4 lockers free', '  1', '  2  booked', ...broken])
  const closed = { ...point, outOfService: { reason: 'flooded', since }, lockers: [{ ...locker, name: '1' }] }
  expect(formatLockers([closed], false)).toEqual([
    `p  Square  0 of 1 lockers free  out of service since ${since}: flooded`,
  ])
})

describe('the arguments', () => {
  const target = { pupUid: 'p', lockerName: '3' }
  test.each([
    [['list', '--json'], { action: { act: 'list' }, json: true }],
    [['list', '--pup', 'p'], { action: { act: 'list', pupUid: 'p' }, json: false }],
    [
      ['out-of-service', '--pup', 'p', '--reason', 'r'],
      { action: { act: 'out-of-service', target: { pupUid: 'p' }, reason: 'r' }, json: false },
    ],
    [['in-service', '--pup', 'p', '--locker', '3'], { action: { act: 'in-service', target }, json: false }],
  ])('%j', (args, expected) => expect(readArguments(args)).toEqual(expected))

  test.each([
    [[], 'verb: must be one of list, out-of-service, in-service.'],
    [['repair'], 'verb: must be one of'],
    [['list', 'p'], 'verb: must be the only argument without a name'],
    [['list', '--locker', '3'], '--locker: must not be given to list.'],
    [['in-service'], '--pup: must be given to in-service.'],
    [['in-service', '--pup', 'p', '--reason', 'r'], '--reason: must not be given to in-service.'],
    [['out-of-service', '--pup', 'p'], '--reason: must be given to out-of-service.'],
    [['list', '--all'], "Unknown option '--all'"],
  ])('%j is refused with the usage', (args, problem) => {
    expect(() => readArguments(args)).toThrow(problem)
    expect(() => readArguments(args)).toThrow('npm run lockers -- list')
  })
})
