import { describe, expect, onTestFinished, test } from 'vitest'
import { type ClientsAction, readAction } from '../../cli/clients/arguments.ts'
import { readCommand } from '../support/command/commandLine.ts'
import { runClients } from '../support/service/clientsCommand.ts'
import { signInWith } from '../support/service/registry.ts'
import { temporaryFile } from '../support/service/temporaryStore.ts'
import { startTestService } from '../support/service/testService.ts'

test('adds, lists and switches off a client while the service runs', async () => {
  const databaseUrl = temporaryFile()
  const service = await startTestService({ databaseUrl })
  onTestFinished(() => service.stop())
  const added = await runClients(databaseUrl, 'add', 'robot', '--tenant', 'acme', '--expires', '90d')
  expect(added).toMatchObject({ code: 0, complaint: '' })
  const [, secret = ''] = /^client secret {2}([\w-]{43})$/m.exec(added.output) ?? []
  expect((await signInWith(service, 'robot', secret)).status).toBe(200)

  const listed = await runClients(databaseUrl, 'list')
  expect(listed.output).toMatch(/^acme\n {2}acme .*from the topology file\n {2}robot {2}secret since \S+ until \S+$/m)
  expect(listed.output).toMatch(/^signing key \S+ {2}since \S+$/m)
  expect(listed.output).not.toContain(secret)

  expect((await runClients(databaseUrl, 'disable', 'robot')).output).toBe('robot disabled\n')
  expect((await signInWith(service, 'robot', secret)).status).toBe(401)
  const refused = await runClients(databaseUrl, 'rotate', 'unknown')
  expect(refused).toMatchObject({
    code: 2,
    output: '',
    complaint: expect.stringMatching(/^clients rotate: client id: must be a client of the store, got "unknown"\.\n/),
  })
})

test('with --json every moment is a text in UTC', async () => {
  const databaseUrl = temporaryFile()
  const service = await startTestService({ databaseUrl })
  onTestFinished(() => service.stop())
  const read = async (...args: string[]) => JSON.parse((await runClients(databaseUrl, ...args, '--json')).output)
  const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

  expect(await read('add', 'robot', '--tenant', 'acme', '--expires', '90d')).toMatchObject({ expiresAt: moment })
  expect(await read('rotate', 'robot')).toMatchObject({ expiresAt: null, previousExpiresAt: moment })
  const { clients, keys } = await read('list')
  expect(clients).toContainEqual(
    expect.objectContaining({
      clientId: 'robot',
      secrets: [
        { createdAt: moment, expiresAt: moment },
        { createdAt: moment, expiresAt: null },
      ],
    }),
  )
  expect(keys).toEqual([{ kid: expect.any(String), createdAt: moment }])
})

describe('the arguments', () => {
  test.each([
    [['list', '--json'], { action: { act: 'list' }, json: true }],
    [['rotate', 'a'], { action: { act: 'rotate', clientId: 'a', overlap: 86_400_000 }, json: false }],
    [['rotate', 'a', '--overlap', '0s'], { action: { act: 'rotate', clientId: 'a', overlap: 0 }, json: false }],
    [['revoke', 'a'], { action: { act: 'revoke', target: { clientId: 'a' } }, json: false }],
    [['revoke', '--key', 'k'], { action: { act: 'revoke', target: { kid: 'k' } }, json: false }],
    [['disable', '--tenant', 't'], { action: { act: 'disable', target: { tenantId: 't' } }, json: false }],
    [['remove', 'a'], { action: { act: 'remove', target: { clientId: 'a' } }, json: false }],
  ])('%j', async (args, { action, json }) => {
    const given = await readCommand('clients', ...args)
    expect(readAction(given.act as ClientsAction['act'], given)).toEqual(action)
    expect(given.options.json ?? false).toBe(json)
  })

  test.each([
    [['revok', 'a'], 'verb: must be a verb of lockerflow clients, got "revok".'],
    [['add', 'a'], '--tenant: must be given.'],
    [['rotate'], 'client: must be given.'],
    [['rotate', 'a', 'b'], 'arguments: must be at most 1, got 2.'],
    [['rotate', 'a', '--tenant', 't'], '--tenant: must be an option of this verb.'],
    [['rotate', 'a', '--overlap', 'soon'], '--overlap: must be a duration'],
    [['disable'], '--tenant: must be given, or a client id'],
    [['disable', 'a', '--tenant', 't'], '--tenant: must be given, or a client id, but not both.'],
    [['list', 'a'], 'arguments: must be at most 0, got 1.'],
    [['list', '--all'], '--all: must be an option of this verb.'],
  ])('%j is refused', async (args, problem) => {
    const reading = readCommand('clients', ...args).then(given => readAction(given.act as ClientsAction['act'], given))
    await expect(reading).rejects.toMatchObject({ message: expect.stringContaining(problem), exitCode: 2 })
  })
})
