import { describe, expect, onTestFinished, test } from 'vitest'
import { readArguments } from '../../cli/lockers/arguments.ts'
import { formatLockers } from '../../cli/lockers/report.ts'
import { runCommand } from '../support/service/clientsCommand.ts'
import { temporaryFile } from '../support/service/temporaryStore.ts'
import { startTestService } from '../support/service/testService.ts'

const booking = {
  PupUid: 'pup-2',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 5, height: 5, length: 5 },
}

test('puts a locker out of service and in service again while the service runs', { timeout: 90_000 }, async () => {
  const databaseUrl = temporaryFile()
  const service = await startTestService({ databaseUrl })
  onTestFinished(() => service.stop())
  const lockers = (...args: string[]) => runCommand('lockers', databaseUrl, ...args)
  const target = ['--pup', 'pup-2', '--locker', 'A1']
  const taken = await lockers('out-of-service', ...target, '--reason', 'door bent')
  expect(taken).toEqual({
    code: 0,
    complaint: '',
    output: 'locker A1 of pup-2 is out of service\nno active shipments\n',
  })
  const { body } = await service.call('CreateLocalShipmentAsStock', booking)
  expect(body).toMatchObject({ error: 'NoLockerAvailable' })

  const { output } = await lockers('list', '--json', '--pup', 'pup-2')
  const outOfService = { reason: 'door bent', since: expect.stringMatching(/^20/) }
  expect(JSON.parse(output)).toEqual([
    {
      ...{ pupUid: 'pup-2', name: 'Harbour', outOfService: null, isRetired: false },
      lockers: [{ lockerUid: 'locker-a1', name: 'A1', isBooked: false, outOfService, isRetired: false }],
    },
  ])

  expect((await lockers('in-service', ...target)).output).toMatch(/^locker A1 of pup-2 is in service\n/)
  expect((await service.call('CreateLocalShipmentAsStock', booking)).body).toMatchObject({ success: true })
  expect(await lockers('out-of-service', '--pup', 'pup-9', '--reason', 'x')).toEqual({
    code: 1,
    output: '',
    complaint: 'lockers: --pup: must be the uid of a pick up point, not pup-9.\n',
  })
})

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
