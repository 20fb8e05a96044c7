import { describe, expect, test } from 'vitest'
import { readAction } from '../../cli/lockers/actions.ts'
import { formatChange, formatLockers } from '../../cli/lockers/report.ts'
import { readCommand } from '../support/command/commandLine.ts'

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

test('the case number of a tenant cannot control the terminal of the operator', () => {
  const shipment = { tenantId: 't', shipmentUid: 's', stateCode: 'ReadyForPickup', lockerName: '3' } as const
  const referenceCaseNo = 'A\u001b]52;c;cm0gLXJm\u0007\n  t  another line'
  const change = { pupUid: 'p', lockerName: '3', changed: true, shipments: [{ ...shipment, referenceCaseNo }] }
  expect(formatChange('out-of-service', change)).toEqual([
    'locker 3 of p is out of service',
    'active shipments:',
    '  t  s  ReadyForPickup  locker 3  case A]52;c;cm0gLXJm t another line',
  ])
})

describe('the arguments', () => {
  const target = { pupUid: 'p', lockerName: '3' }
  test.each([
    [[], { act: 'list' }],
    [['--pup', 'p'], { act: 'list', pupUid: 'p' }],
    [['--pup', 'p', '--out-of-service', 'r'], { act: 'out-of-service', target: { pupUid: 'p' }, reason: 'r' }],
    [['--pup', 'p', '--locker', '3', '--in-service'], { act: 'in-service', target }],
  ])('%j', async (args, action) => {
    expect(readAction(await readCommand('lockers', ...args))).toEqual(action)
  })

  test.each([
    [['list'], 'arguments: must be at most 0, got 1.'],
    [['--locker', '3'], '--locker: must be given with --out-of-service or --in-service.'],
    [['--in-service'], '--pup: must be given, for the change.'],
    [['--out-of-service', 'r'], '--pup: must be given, for the change.'],
    [
      ['--pup', 'p', '--in-service', '--out-of-service', 'r'],
      '--in-service: must not be given together with --out-of-service.',
    ],
    [['--pup', 'p', '--out-of-service'], '--out-of-service: must ha'],
    [['--all'], '--all: must be an option of this verb.'],
  ])('%j is refused', async (args, problem) => {
    await expect(readCommand('lockers', ...args).then(readAction)).rejects.toMatchObject({
      message: expect.stringContaining(problem),
      exitCode: 2,
    })
  })
})
