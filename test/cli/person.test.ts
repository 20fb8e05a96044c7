import { describe, expect, test } from 'vitest'
import { formatReport, stayingHistories, toSelection } from '../../cli/person/actions.ts'
import { readCommand } from '../support/command/commandLine.ts'

test('an erasure names the histories in Temporal, when they end and how to delete them before', () => {
  const { what, reason } = stayingHistories('u-1')
  expect(what).toBe('histories of flows in Temporal')
  // The flow that has names does not have the user in its search attributes.
  const verb = 'lockerflow flow list --flow onboardAccount --state ended'
  for (const words of ['retention of the namespace', "LockerflowUser = 'u-1'", 'temporal workflow delete', verb])
    expect(reason).toContain(words)
  // The package of the command has no page of the documentation.
  expect(reason).not.toContain('docs/')
})

test('a report has a line for each table and for each thing that stays', () => {
  const erased = [{ table: 'accounts', rows: 1, done: 'deleted' }] as const
  const stays = [
    { what: 'shipments', rows: 2, reason: 'they are active' },
    { what: 'backups', reason: 'they are not changed' },
  ]
  expect(formatReport({ userUid: 'u', erased, stays })).toEqual([
    'u is erased.',
    '',
    'deleted  accounts: 1',
    '',
    'These stay, for the reasons given:',
    '- shipments: 2: they are active',
    '- backups: they are not changed',
  ])
})

describe('the arguments', () => {
  test('select a person', async () => {
    const given = await readCommand('person', '--user', 'u', '--tenant', 'acme')
    expect(toSelection(given)).toEqual({ userUid: 'u', tenantId: 'acme' })
  })

  test.each([
    [['erase', '--user', 'u'], 'arguments: must be at most 0, got 1.'],
    [['--erase'], '--user: must be given.'],
    [['--erase', '--user', 'u', '--all'], '--all: must be an option of this verb.'],
  ])('%j are an error', async (args, problem) => {
    await expect(readCommand('person', ...args)).rejects.toMatchObject({
      message: expect.stringContaining(problem),
      exitCode: 2,
    })
  })
})
