import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { formatReport, toSelection } from '../../cli/person/actions.ts'
import { callErasureHook } from '../../cli/person/hook.ts'
import { readCommand } from '../support/command/commandLine.ts'

test('the hook of an erasure is called, and its failure is an error', async () => {
  const bodies: unknown[] = []
  let status = 204
  const server = createServer(async (request, response) => {
    bodies.push(JSON.parse(await text(request)))
    response.writeHead(status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/forget`
  const erased = { userUid: 'u-1', forgottenKeys: 0 }
  expect(await callErasureHook(url, erased)).toEqual([])
  expect(bodies).toEqual([{ userUid: 'u-1' }])
  status = 500
  await expect(callErasureHook(url, erased)).rejects.toThrow('LOCKERFLOW_ERASURE_URL: must answer with 2xx')
  server.closeAllConnections()
  server.close()
  await expect(callErasureHook(url, erased)).rejects.toThrow('LOCKERFLOW_ERASURE_URL: must be reachable')
})

test('without a hook, the report says what histories have of the person', async () => {
  expect(await callErasureHook(undefined, { userUid: 'u-1', forgottenKeys: 0 })).toMatchObject([
    { what: 'histories of flows in Temporal', reason: expect.stringContaining('no key of the person') },
  ])
  expect(await callErasureHook(undefined, { userUid: 'u-1', forgottenKeys: 1 })).toMatchObject([
    {
      what: 'histories of flows in Temporal, without names and addresses',
      reason: expect.stringContaining('their keys are forgotten'),
    },
  ])
})

test('a report has a line for each table and for each thing that stays', () => {
  const erased = [{ table: 'accounts', rows: 1, done: 'deleted' }] as const
  const stays = [
    { what: 'shipments', rows: 2, reason: 'they are active' },
    { what: 'backups', reason: 'they are not changed' },
  ]
  expect(formatReport({ userUid: 'u', erased, forgottenKeys: 0, stays })).toEqual([
    'u is erased.',
    '',
    'deleted  accounts: 1',
    '',
    'It leaves, for the reason given:',
    '- shipments: 2: they are active',
    '- backups: they are not changed',
  ])
})

describe('the arguments', () => {
  test.each([
    ['person erase', 'erase'],
    ['person export', 'export'],
  ])('of %s, also as %s, select a person', async (name, alias) => {
    for (const words of [name.split(' '), [alias]]) {
      const given = await readCommand(...words, '--user', 'u', '--tenant', 'acme')
      expect(given.verb.name).toBe(name)
      expect(toSelection(given)).toEqual({ userUid: 'u', tenantId: 'acme' })
    }
  })

  test.each([
    [['remove', '--user', 'u'], 'verb: must be a verb of lockerflow'],
    [['erase'], '--user: must be given.'],
    [['erase', '--user', 'u', '--all'], '--all: must be an option of this verb.'],
  ])('%j are an error', async (args, problem) => {
    await expect(readCommand('person', ...args)).rejects.toMatchObject({
      message: expect.stringContaining(problem),
      exitCode: 2,
    })
  })
})
