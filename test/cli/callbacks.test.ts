import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { readArguments } from '../../cli/callbacks/arguments.ts'
import { formatCallbacks } from '../../cli/callbacks/report.ts'
import { startReceiver } from '../support/servers/callbackReceiver.ts'
import { quick, stock } from '../support/service/callbacks.ts'
import { temporaryFile } from '../support/service/temporaryStore.ts'
import { createWorld } from '../support/world/createWorld.ts'

/** Runs the command as from a terminal. */
async function command(databaseUrl: string, ...args: string[]) {
  const child = spawn(process.execPath, ['cli/callbacks.ts', ...args], {
    timeout: 20_000,
    env: { ...process.env, LOCKERFLOW_DATABASE_URL: databaseUrl },
  })
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { code, said, complained }
}

test('lists callbacks that were given up and sends them again, while the service runs', async () => {
  const databaseUrl = temporaryFile()
  const receiver = await startReceiver(() => ({ status: 500 }))
  const world = await createWorld({ service: { databaseUrl, delivery: { ...quick, maxAge: -60_000 } } })
  onTestFinished(async () => {
    await world.stop()
    await receiver.stop()
  })
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'None' })
  const shipmentUid = await stock(world)
  const [callback] = await receiver.until(1)
  await expect.poll(() => world.service.lines.some(({ msg }) => msg === 'callback given up')).toBe(true)

  const listed = await command(databaseUrl, 'list', '--dead', '--json')
  expect(listed).toMatchObject({ code: 0, complained: '' })
  expect(JSON.parse(listed.said)).toMatchObject({
    callbacks: [{ messageId: callback?.headers['webhook-id'], tenantId: 'acme', shipmentUid, failures: 1 }],
    dead: [{ tenantId: 'acme', count: 1 }],
    complete: true,
  })
  receiver.answer(() => ({ status: 204 }))
  expect(await command(databaseUrl, 'resend', '--shipment', shipmentUid)).toEqual({
    code: 0,
    said: '1 callback is due.\n',
    complained: '',
  })
  await receiver.until(2)
  await expect.poll(() => world.service.store.selectFrom('outbox').select('seq').execute()).toEqual([])
  expect((await command(databaseUrl, 'list')).said).toBe('0 undelivered.\n')
})

test('a missing file is an error, and is not created', async () => {
  const { code, complained } = await command('file:none/such.db', 'list')
  expect({ code, complained }).toEqual({ code: 1, complained: 'callbacks: there is no file none/such.db\n' })
})

describe('the arguments', () => {
  test('select callbacks', () => {
    expect(readArguments(['resend', '--dead', '--tenant', 'acme'])).toEqual({
      action: 'resend',
      filter: { dead: true, tenantId: 'acme', shipmentUid: undefined, messageId: undefined },
      json: false,
    })
  })

  test.each([
    [[], 'must be list or resend'],
    [['drop'], 'must be list or resend'],
    [['list', 'more'], 'must be list or resend'],
    [['resend'], 'must be combined with --dead'],
    [['list', '--all'], "Unknown option '--all'"],
  ])('%j are an error with the usage', (args, problem) => {
    expect(() => readArguments(args)).toThrow(problem)
    expect(() => readArguments(args)).toThrow('npm run callbacks -- list | resend')
  })
})

test('each callback is a line, with the time of its next delivery, or why it has no such time', () => {
  const callback = { messageId: 'm', tenantId: 'acme', shipmentUid: 's', failures: 2, createdAt: 0, deadSince: null }
  const lines = formatCallbacks(
    [
      { ...callback, nextAttemptAt: 1_000, waits: false },
      { ...callback, nextAttemptAt: 0, waits: false },
      { ...callback, nextAttemptAt: null, waits: true },
      { ...callback, nextAttemptAt: null, waits: false, deadSince: 2_000 },
    ],
    [{ tenantId: 'acme', count: 1 }],
    4,
  )
  const start = 'm  acme  shipment s  since 1970-01-01T00:00:00.000Z  2 failed  '
  expect(lines).toEqual([
    `${start}next at 1970-01-01T00:00:01.000Z`,
    `${start}due`,
    `${start}waits for an earlier one of its shipment`,
    `${start}given up at 1970-01-01T00:00:02.000Z`,
    '',
    'The 4 oldest. Narrow the list with --dead, --tenant or --shipment.',
    'acme: 1 given up. Send them again with resend --dead.',
  ])
})
