import { describe, expect, test } from 'vitest'
import { type LockersAction, readAction } from '../../cli/lockers/actions.ts'
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
    [['list', '--json'], { action: { act: 'list' }, json: true }],
    [['list', '--pup', 'p'], { action: { act: 'list', pupUid: 'p' }, json: false }],
    [
      ['out-of-service', '--pup', 'p', '--reason', 'r'],
      { action: { act: 'out-of-service', target: { pupUid: 'p' }, reason: 'r' }, json: false },
    ],
    [['in-service', '--pup', 'p', '--locker', '3'], { action: { act: 'in-service', target }, json: false }],
  ])('%j', async (args, { action, json }) => {
    const given = await readCommand('lockers', ...args)
    expect(readAction(given.act as LockersAction['act'], given)).toEqual(action)
    expect(given.options.json ?? false).toBe(json)
  })

  test.each([
    [['repair'], 'verb: must be a verb of lockerflow lockers, got "repair".'],
    [['list', 'p'], 'arguments: must be at most 0, got 1.'],
    [['list', '--locker', '3'], '--locker: must be an option of this verb.'],
    [['in-service'], '--pup: must be given.'],
    [['in-service', '--pup', 'p', '--reason', 'r'], '--reason: must be an option of this verb.'],
    [['out-of-service', '--pup', 'p'], '--reason: must be given.'],
    [['list', '--all'], '--all: must be an option of this verb.'],
  ])('%j is refused', async (args, problem) => {
    await expect(readCommand('lockers', ...args)).rejects.toMatchObject({
      message: expect.stringContaining(problem),
      exitCode: 2,
    })
  })
})
