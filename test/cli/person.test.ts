import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkWebhookSignature } from '#contract'
import { formatReport, toSelection } from '../../cli/person/actions.ts'
import { callErasureHook } from '../../cli/person/hook.ts'
import { readCommand } from '../support/command/commandLine.ts'

const key = 'key-of-the-hook-of-an-erasure'

/** A hook that answers with a status, and keeps the last request. */
async function startHook() {
  const hook = { status: 204, body: '', headers: {} as IncomingHttpHeaders }
  const server = createServer(async (request, response) => {
    hook.body = await text(request)
    hook.headers = request.headers
    response.writeHead(hook.status).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  onTestFinished(stop)
  return Object.assign(hook, { stop, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/forget` })
}

test('the hook of an erasure is called, and its failure is an error', async () => {
  const hook = await startHook()
  const { url } = hook
  const erased = { userUid: 'u-1', forgottenKeys: 0 }
  await callErasureHook({ url }, erased)
  expect(JSON.parse(hook.body)).toEqual({ userUid: 'u-1' })
  expect(hook.headers).not.toHaveProperty('webhook-signature')
  hook.status = 500
  await expect(callErasureHook({ url }, erased)).rejects.toThrow('LOCKERFLOW_ERASURE_URL: must answer with 2xx')
  hook.stop()
  await expect(callErasureHook({ url }, erased)).rejects.toThrow('LOCKERFLOW_ERASURE_URL: must be reachable')
})

test('with a key, the request to the hook of an erasure is signed', async () => {
  const hook = await startHook()
  await callErasureHook({ url: hook.url, key }, { userUid: 'u-1', forgottenKeys: 0 })
  const check = (keys: string[], body: string) =>
    checkWebhookSignature(keys, hook.headers, body, Math.floor(Date.now() / 1_000))
  expect(check([key], hook.body)).toBeUndefined()
  expect(check(['another-key-of-the-hook'], hook.body)).toBe('signature does not match')
  expect(check([key], '{"userUid":"u-2"}')).toBe('signature does not match')
})

test.each([
  ['without a hook', false],
  ['after the hook has answered', true],
])('%s, the report says what histories have of the person', async (_, hasHook) => {
  const hook = hasHook ? { url: (await startHook()).url } : undefined
  const [withNames, ...others] = await callErasureHook(hook, { userUid: 'u-1', forgottenKeys: 0 })
  expect(others).toEqual([])
  expect(withNames).toMatchObject({
    what: 'histories of flows in Temporal',
    reason: expect.stringContaining('no key of the person'),
  })
  // The flow that has names does not have the user in its search attributes.
  const verb = 'lockerflow flow list --flow onboardAccount --state ended'
  for (const words of ["LockerflowUser = 'u-1'", 'temporal workflow delete', verb])
    expect(withNames?.reason).toContain(words)
  // The package of the command has no page of the documentation.
  expect(withNames?.reason).not.toContain('docs/')
  const notSet = 'LOCKERFLOW_ERASURE_URL is not set'
  if (hasHook) expect(withNames?.reason).not.toContain(notSet)
  else expect(withNames?.reason).toContain(notSet)
  expect(await callErasureHook(hook, { userUid: 'u-1', forgottenKeys: 1 })).toMatchObject([
    {
      what: 'histories of flows in Temporal, without names and addresses',
      reason: expect.stringMatching(/^their keys are forgotten; for descriptions and references of shipments, .*'u-1'/),
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
    'These stay, for the reasons given:',
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
    [['remove', '--user', 'u'], 'verb: must be a verb of lockerflow person, got "remove".'],
    [['erase'], '--user: must be given.'],
    [['erase', '--user', 'u', '--all'], '--all: must be an option of this verb.'],
  ])('%j are an error', async (args, problem) => {
    await expect(readCommand('person', ...args)).rejects.toMatchObject({
      message: expect.stringContaining(problem),
      exitCode: 2,
    })
  })
})
