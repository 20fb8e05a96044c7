import { describe, expect, test } from 'vitest'
import { formatChanges } from '../../cli/topology/actions.ts'
import { readCommand } from '../support/command/commandLine.ts'

describe('the report of a topology', () => {
  const locker = { entry: 'locker', id: 'p:1' } as const
  const tenant = { change: 'kept', entry: 'tenant', id: 'acme' } as const

  test('has a line for each change, the additions first', () => {
    const changes = [
      { ...locker, change: 'refused', detail: 'shipments: 1, active: 0' },
      { ...locker, id: 'p:2', change: 'changed', detail: 'width' },
      { change: 'added', entry: 'pickUpPoint', id: 'q' },
    ] as const
    expect(formatChanges(changes, { act: 'apply', retire: true })).toEqual([
      'added    pick up point q',
      'changed  locker p:2: width',
      'refused  removal of locker p:1: shipments: 1, active: 0',
      '1 added, 1 changed, 1 refused',
      'refused: in use. It takes no new bookings, and is removed once it is unused.',
    ])
  })

  test('says how missing entries are removed', () => {
    expect(formatChanges([tenant], { act: 'apply', retire: false }).at(-1)).toContain('--retire retires it')
    expect(formatChanges([tenant], { act: 'preview', retire: true }).slice(-2)).toEqual([
      'preview: 1 kept; --apply does it',
      'kept: lockerflow clients removes tenants and clients.',
    ])
    expect(formatChanges([], { act: 'apply', retire: true })).toEqual(['no changes'])
  })
})

describe('the arguments', () => {
  test.each([
    [['f'], { values: ['f'], options: {} }],
    [['f', '--apply', '--retire', '--json'], { values: ['f'], options: { apply: true, retire: true, json: true } }],
  ])('%j', async (args, expected) => expect(await readCommand('topology', ...args)).toMatchObject(expected))

  test.each([
    [['--apply'], 'file: must be given.'],
    [['f', 'g'], 'arguments: must be at most 1, got 2.'],
    [['f', '--force'], '--force: must be an option of this verb.'],
  ])('%j is refused', async (args, problem) => {
    await expect(readCommand('topology', ...args)).rejects.toMatchObject({
      message: expect.stringContaining(problem),
      exitCode: 2,
    })
  })
})
