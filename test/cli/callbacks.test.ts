import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { verifyCallback, webhookHeaders, webhookSignature } from '#contract'
import { postLocally } from '../../cli/callbacks/localReceiver.ts'
import { formatCallbacks } from '../../cli/callbacks/report.ts'
import { freePort } from '../../platform/ports.ts'
import { runProcess } from '../support/command/process.ts'
import { runVerb, startVerb } from '../support/command/verbs.ts'
import { type Receiver, startReceiver } from '../support/servers/callbackReceiver.ts'
import { quick, stock as stockAt } from '../support/service/callbacks.ts'
import { temporaryFile } from '../support/service/temporaryStore.ts'
import { createWorld } from '../support/world/createWorld.ts'
import type { ServiceWorld } from '../support/world/serviceWorld.ts'

let folder: string
let world: ServiceWorld
/** The receiver of the developer, which has no address at the service. */
let local: Receiver
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  world = await createWorld({ service: { delivery: quick, recentTraffic: 100 } })
  local = await startReceiver()
  environment = environmentOf(world)
})

afterAll(async () => {
  await world.stop()
  await local.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Books stock at a pick up point with many lockers. */
const stock = (of: ServiceWorld, ask: object = {}) => stockAt(of, { PupUid: 'shared', ...ask })

function environmentOf({ service }: ServiceWorld, client = 'acme'): NodeJS.ProcessEnv {
  const address = `http://127.0.0.1:${service.port}`
  return {
    XDG_STATE_HOME: folder,
    LOCKERFLOW_BASE_URL: address,
    LOCKERFLOW_AUTH_URL: address,
    LOCKERFLOW_CLIENT_ID: client,
    LOCKERFLOW_CLIENT_SECRET: `${client}-secret`,
  }
}

const isEmpty = (of: ServiceWorld) =>
  expect.poll(() => of.service.store.selectFrom('outbox').select('seq').execute()).toEqual([])

describe('listen', () => {
  test('beside the address of a tenant, forwards each callback once, with a key that stays the same', async () => {
    const address = await startReceiver()
    onTestFinished(address.stop)
    await world.call('ConfigureCallback', { url: address.url, authType: 'HMAC' })
    const earlier = await stock(world)
    await address.until(1, earlier)
    await isEmpty(world)
    const listening = startVerb(environment, 'callbacks', 'listen', local.url)
    const [, key = ''] = await listening.note(/key of the signatures is (\S+)/)
    address.answer((_callback, count) => ({ status: count % 2 === 0 ? 500 : 204 }))
    const shipmentUid = await stock(world, { Details: { ReferenceCaseNo: 'L-1' } })
    const [received] = await local.until(1, shipmentUid)
    await address.until(2, shipmentUid)
    await isEmpty(world)
    listening.interrupt()
    expect(await listening.ended).toBeUndefined()
    expect(verifyCallback(received?.headers ?? {}, received?.body ?? '', [key])).toMatchObject({ ok: true })
    expect(listening.values).toMatchObject([
      { shipmentUid, caseNo: 'L-1', url: address.url, answer: '500', forwarded: { accepted: true, answer: '204' } },
    ])
    expect(listening.lines[0]).toContain(`L-1  ${shipmentUid}  500  local 204 in`)
    expect(local.received.filter(({ message }) => message.shipmentUid === earlier)).toEqual([])

    const again = startVerb(environment, 'callbacks', 'listen')
    expect((await again.note(/key of the signatures is (\S+)/))[1]).toBe(key)
    again.interrupt()
    await again.ended
    const file = join(folder, 'lockerflow', 'callback-key')
    expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await readFile(file, 'utf8')).trim()).toBe(key)
  })

  test('for a tenant without an address, is the address until it ends', async () => {
    const globex = environmentOf(world, 'globex')
    const addressOf = async () =>
      (await world.service.store.selectFrom('tenants').selectAll().where('tenant_id', '=', 'globex').executeTakeFirst())
        ?.callback_url
    const listening = startVerb(globex, 'callbacks', 'listen', local.url)
    await listening.note(/key of the signatures/)
    expect(await addressOf()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/lockerflow-listen$/)
    local.answer((_callback, count) => ({ status: count % 2 === 0 ? 500 : 204 }))
    const before = local.received.length
    const { shipmentUids } = await world.call(
      'CreateLocalShipmentAsStock',
      {
        PupUid: 'shared',
        AllowLargerLockers: true,
        AllowOverflowLockers: true,
        Dimension: { width: 1, height: 1, length: 1 },
      },
      'globex',
    )
    // A refusal of the local address is one of the tenant's address: the service sends it again.
    await expect
      .poll(() => listening.values.at(-1))
      .toMatchObject({ shipmentUid: shipmentUids[0], forwarded: { accepted: true } })
    await isEmpty(world)
    expect(local.received.length).toBeGreaterThan(before)
    listening.interrupt()
    expect(await listening.ended).toBeUndefined()
    expect(await addressOf()).toBeNull()
    local.answer(() => ({ status: 204 }))
  })

  test('a service that does not reach this machine needs a public address', async () => {
    const { call } = world
    await call('ConfigureCallback', { url: null, authType: 'HMAC' })
    const away = startVerb(
      { ...environment, LOCKERFLOW_BASE_URL: `http://[::ffff:7f00:1]:${world.service.port}` },
      'callbacks',
      'listen',
    )
    expect(await away.ended).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining('--public-url: must be set'),
    })
  })

  test.each([
    [['callbacks', 'listen', 'nowhere'], 'url: must be an address such as'],
    [['callbacks', 'listen', '--key', 'short'], '--key: must be 16 to 200 printable'],
    [['callbacks', 'resend'], 'message: must be given, or --shipment'],
    [['callbacks', 'replay', 'http://127.0.0.1:9/'], 'message: must be given, or --shipment'],
    [['callbacks', 'list', '--since', 'soon'], '--since: must be a time such as '],
    [['callbacks', 'resend', '--since', '2'], '--since: must be a time such as '],
    [['callbacks', 'resend', '--shipment', 'one', '--shipment', 'two'], '--shipment: must be given once.'],
    [['callbacks', 'list', 'more'], 'arguments: must be at most 0'],
    [['requests', 'tail', '--status', 'red'], '--status: must be a status such as 409'],
  ])('%j is used wrongly', async (words, message) => {
    expect(await startVerb(environment, ...words).ended).toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message),
    })
  })

  test.each([
    ['LOCKERFLOW_AUTH_URL', 'the sign-in'],
    ['LOCKERFLOW_BASE_URL', 'the service'],
  ])('no response at %s ends it with exit code 3 and the address', async (name, part) => {
    const host = `127.0.0.1:${await freePort('127.0.0.1')}`
    const nowhere = { ...environment, [name]: `http://${host}` }
    const message = `${name}: ${part} at http://${host} does not respond: connect ECONNREFUSED ${host}`
    for (const words of [
      ['callbacks', 'listen'],
      ['requests', 'tail'],
    ])
      expect(await startVerb(nowhere, ...words).ended).toMatchObject({ code: 'NotReachable', exitCode: 3, message })
  })
})

test('lists what was sent with the answers, resends it, and replays it unchanged to a local address', async () => {
  const address = await startReceiver((_callback, count) => ({ status: count === 1 ? 503 : 204 }))
  onTestFinished(address.stop)
  await world.call('ConfigureCallback', { url: address.url, authType: 'None' })
  const shipmentUid = await stock(world, { Details: { ReferenceCaseNo: 'L-2' } })
  await address.until(2, shipmentUid)
  await isEmpty(world)
  const { values, lines } = await runVerb(environment, 'callbacks', 'list', '--case', 'L-2')
  expect(values).toMatchObject([
    {
      callbackUrl: address.url,
      callbacks: [
        { shipmentUid, answer: '503', delivered: false },
        { shipmentUid, answer: '204', delivered: true, failures: 1 },
      ],
    },
  ])
  expect(lines).toHaveLength(3)
  const failed = await runVerb(environment, 'callbacks', 'list', '--case', 'L-2', '--failed')
  expect(failed.values).toMatchObject([{ callbacks: [{ answer: '503' }] }])

  const messageId = String(address.received[0]?.headers[webhookHeaders.id])
  expect((await runVerb(environment, 'callbacks', 'resend', messageId)).lines).toEqual(['1 callback is due.'])
  await address.until(3, shipmentUid)
  await isEmpty(world)

  const before = local.received.length
  const replayed = await runVerb(environment, 'callbacks', 'replay', local.url, messageId)
  expect(replayed.values).toMatchObject([{ messageId, accepted: true, answer: '204' }])
  expect(local.received.slice(before)).toMatchObject([{ body: address.received[0]?.body }])
  const unknown = startVerb(environment, 'callbacks', 'replay', local.url, 'msg_unknown')
  expect(await unknown.ended).toMatchObject({ exitCode: 1, message: 'The service no longer has this callback.' })
  const unknownResend = startVerb(environment, 'callbacks', 'resend', 'msg_unknown')
  expect(await unknownResend.ended).toMatchObject({ exitCode: 1, message: 'No such callback can be sent again.' })
  const unknownCase = startVerb(environment, 'callbacks', 'resend', '--case', 'L-unknown')
  expect(await unknownCase.ended).toMatchObject({
    exitCode: 1,
    message: 'No callback of the case L-unknown can be sent again.',
  })
  // A time selects any number of callbacks.
  const none = await runVerb(environment, 'callbacks', 'resend', '--since', '2100-01-01')
  expect(none.lines).toEqual(['0 callbacks are due.'])
})

test('lists callbacks that were given up and sends them again, while the service runs', async () => {
  const databaseUrl = temporaryFile()
  const receiver = await startReceiver(() => ({ status: 500 }))
  const giving = await createWorld({ service: { databaseUrl, delivery: { ...quick, maxAge: -60_000 } } })
  onTestFinished(async () => {
    await giving.stop()
    await receiver.stop()
  })
  const store = { LOCKERFLOW_DATABASE_URL: databaseUrl }
  await giving.call('ConfigureCallback', { url: receiver.url, authType: 'None' })
  const shipmentUid = await stock(giving)
  const [callback] = await receiver.until(1)
  await expect.poll(() => giving.service.lines.some(({ msg }) => msg === 'callback given up')).toBe(true)

  const { values } = await runVerb(store, 'callbacks', 'list', '--dead')
  expect(values).toMatchObject([
    {
      callbacks: [{ messageId: callback?.headers['webhook-id'], tenantId: 'acme', shipmentUid, failures: 1 }],
      complete: true,
    },
  ])
  receiver.answer(() => ({ status: 204 }))
  await giving.call('CancelShipment', { shipmentUid })
  expect((await runVerb(store, 'callbacks', 'list')).values).toMatchObject([
    { callbacks: [{ failures: 1 }, { failures: 0 }] },
  ])
  const failed = await runVerb(store, 'callbacks', 'list', '--failed')
  expect(failed.values).toMatchObject([{ callbacks: [{ messageId: callback?.headers['webhook-id'], failures: 1 }] }])
  const unknown = startVerb(store, 'callbacks', 'resend', '--message', 'msg_unknown')
  expect(await unknown.ended).toMatchObject({
    exitCode: 1,
    message: 'No such callback can be sent again.',
    remedy: 'List them: lockerflow callbacks list --store.',
  })
  expect((await runVerb(store, 'callbacks', 'resend', '--shipment', shipmentUid)).lines).toEqual([
    '2 callbacks are due.',
  ])
  await receiver.until(3)
  await isEmpty(giving)
  expect((await runVerb(store, 'callbacks', 'list')).lines).toEqual(['0 undelivered.'])
  const file = join(folder, 'database-url')
  await writeFile(file, databaseUrl)
  const byFile = await runVerb({ LOCKERFLOW_DATABASE_URL_FILE: file }, 'callbacks', 'list')
  expect(byFile.lines).toEqual(['0 undelivered.'])
  const missing = startVerb({ LOCKERFLOW_DATABASE_URL: 'file:none/such.db' }, 'callbacks', 'list')
  expect(await missing.ended).toMatchObject({ exitCode: 2, message: expect.stringContaining('no file none/such.db') })
})

describe('verify', () => {
  const key = '0123456789abcdef'
  let headers: string
  let body: string

  beforeAll(async () => {
    headers = join(folder, 'headers.txt')
    body = join(folder, 'body.json')
    const shipmentUid = await stock(world)
    const { items } = await world.call('GetShipments', { shipmentUid })
    const message = { ...items[0], stateStart: '2026-11-22T08:00:00' }
    const sent = {
      messageId: 'msg_1',
      shipmentUid,
      body: JSON.stringify({ messageType: 'ShipmentStatusUpdate', message }),
    }
    await postLocally(local.url, key, sent)
    const [received] = await local.until(1, shipmentUid)
    const lines = Object.entries(received?.headers ?? {}).map(([name, value]) => `> ${name}: ${value}`)
    await writeFile(headers, lines.join('\r\n'))
    await writeFile(body, received?.body ?? '')
  })

  const verify = (...words: readonly string[]) =>
    startVerb({ XDG_STATE_HOME: folder }, 'callbacks', 'verify', headers, ...words)

  test('accepts the bytes that were sent, and checks the age on request', async () => {
    const valid = verify(body, '--key', 'fedcba9876543210', '--key', key)
    expect(await valid.ended).toBeUndefined()
    const found = { valid: true, reason: null, keyFrom: '--key', messageId: 'msg_1', uidSignature: true }
    expect(valid.values).toMatchObject([found])
    const byWindows = join(folder, 'headers.json')
    const lines = (await readFile(headers, 'utf8')).split('\r\n').map(line => line.slice(2).split(': '))
    await writeFile(byWindows, `\ufeff${JSON.stringify(Object.fromEntries(lines))}\r\n`)
    expect((await runVerb({}, 'callbacks', 'verify', byWindows, body, '--key', key)).values).toMatchObject([found])
    expect(await verify(body, '--key', key, '--at', '2100-01-01T00:00:00Z').ended).toMatchObject({
      exitCode: 1,
      message: 'The callback is not valid: timestamp too old.',
    })
  })

  test('refuses a malformed key, and an empty one, as of a variable of the shell that is not set', async () => {
    const message = expect.stringMatching(/^--key: must not be empty\./)
    expect(await verify(body, '--key', '').ended).toMatchObject({ code: 'InvalidArguments', message })
    const malformed = expect.stringMatching(/^--key: must have base64 of at least 16 bytes after whsec_/)
    expect(await verify(body, '--key', 'whsec_x').ended).toMatchObject({ code: 'InvalidArguments', message: malformed })
  })

  test('uses the key of the gateway, which may come from a file', async () => {
    const file = join(folder, 'callback-key')
    await writeFile(file, `${key}\n`)
    const byFile = startVerb({ LOCKERFLOW_CALLBACK_KEY_FILE: file }, 'callbacks', 'verify', headers, body)
    expect(await byFile.ended).toBeUndefined()
    expect(byFile.lines).toContain('Checked with the key from LOCKERFLOW_CALLBACK_KEY.')
    const missing = startVerb({ LOCKERFLOW_CALLBACK_KEY_FILE: 'none' }, 'callbacks', 'verify', headers, body)
    expect(await missing.ended).toMatchObject({
      code: 'InvalidSettings',
      message: expect.stringMatching(/^LOCKERFLOW_CALLBACK_KEY_FILE: must name a file/),
    })
  })

  test('uses the key of callbacks to this machine if it has no other, and names its file', async () => {
    const local = verify(body)
    expect(await local.ended).toMatchObject({ code: 'InvalidSignature' })
    expect(local.lines).toContain(`Checked with the key from ${join(folder, 'lockerflow', 'callback-key')}.`)
  })

  test('reads the body from standard input', async () => {
    const sent = await readFile(body, 'utf8')
    const [valid, other] = await Promise.all([
      runProcess({}, ['callbacks', 'verify', headers, '-', '--key', key], sent),
      runProcess({}, ['callbacks', 'verify', headers, '--key', key], `${sent}\n`),
    ])
    expect(valid).toMatchObject({ code: 0, stdout: expect.stringMatching(/^The signature is valid\./), stderr: '' })
    expect(other).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Not valid\.\n/) })
    expect(`${other.stdout}${other.stderr}`.match(/signature does not match|The key is wrong/g)).toHaveLength(2)
  })

  test('accepts a notification of a flow', async () => {
    const sent = JSON.stringify({ type: 'flow.ended', timestamp: '2026-11-22T08:00:00.000Z', data: { caseNo: 'N-1' } })
    const [lines, bytes] = [join(folder, 'notification.txt'), join(folder, 'notification.json')]
    const signed = {
      [webhookHeaders.id]: 'n-1',
      [webhookHeaders.timestamp]: '1795672634',
      [webhookHeaders.signature]: webhookSignature([key], 'n-1', 1_795_672_634, sent),
    }
    await writeFile(lines, JSON.stringify(signed))
    await writeFile(bytes, sent)
    const valid = startVerb({ XDG_STATE_HOME: folder }, 'callbacks', 'verify', lines, bytes, '--key', key)
    expect(await valid.ended).toBeUndefined()
    expect(valid.values).toMatchObject([{ valid: true, reason: null, messageId: 'n-1', message: null }])
  })

  test('names the reason of a rejection, and what to do', async () => {
    const other = join(folder, 'other.json')
    await writeFile(other, `${await readFile(body, 'utf8')}\n`)
    const changed = verify(other, '--key', key)
    expect(await changed.ended).toMatchObject({
      code: 'InvalidSignature',
      message: 'The callback is not valid: signature does not match.',
      remedy: expect.stringMatching(/^The key is wrong, or the body/),
      exitCode: 1,
    })
    const none = join(folder, 'none.json')
    await writeFile(none, '{"content-type": "application/json"}')
    const without = startVerb({ XDG_STATE_HOME: folder }, 'callbacks', 'verify', none, body, '--key', key)
    expect(await without.ended).toMatchObject({ message: 'The callback is not valid: missing header.' })
  })
})

describe('requests tail', () => {
  test('prints requests by status, operation and case', async () => {
    const shipmentUid = await stock(world, { Details: { ReferenceCaseNo: 'L-3' } })
    const tail = startVerb(environment, 'requests', 'tail', '--case', 'L-3')
    await expect.poll(() => tail.values).toMatchObject([{ operation: 'CreateLocalShipmentAsStock', caseNo: 'L-3' }])
    await world.call('CancelShipment', { shipmentUid })
    await world.call('CancelShipment', { shipmentUid })
    await expect.poll(() => tail.values.length).toBe(3)
    tail.interrupt()
    expect(await tail.ended).toBeUndefined()
    expect(tail.values.slice(1)).toMatchObject([{ status: 200 }, { errorCode: 'InvalidShipmentState', shipmentUid }])
    const refused = await runVerb(
      environment,
      'requests',
      'tail',
      '--no-follow',
      '--status',
      'refused',
      '--operation',
      'cancel',
    )
    expect(refused.lines.at(-1)).toContain(`InvalidShipmentState  CancelShipment  ${shipmentUid}`)
    expect(refused.values).toHaveLength(1)
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
  ])
})
