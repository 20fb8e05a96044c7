import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { callbackExample, webhookHeaders, webhookSignature } from '#contract'
import { root } from '../project/sources.ts'
import { eventually } from '../support/eventually.ts'
import { typeCheck } from '../support/release/typeCheck.ts'
import { startServiceWorld } from '../support/world/serviceWorld.ts'
import { blocksIn, readBlocks } from './blocks.ts'
import { missingCommand, type RunningReceiver, startSnippet } from './receivers.ts'

const key = 'choose-32-random-characters-here'
const page = readFileSync(join(root, 'docs/how-to/receive-callbacks.md'), 'utf8')
const receivers = readBlocks('how-to/receive-callbacks.md').filter(({ heading }) => heading !== 'Send access codes')
const snippets = receivers.map(({ language, heading, text }) => {
  const missing = missingCommand(language)
  if (missing !== undefined) console.warn(`the receiver in ${heading} is skipped: the PATH has no ${missing}`)
  return { language, heading, text, missing }
})

/** The receiver in the README of a package, with the key and the port of those of the page. It reads callbacks alone. */
const [, ofPackage] = blocksIn(readFileSync(join(root, 'packages/api/README.md'), 'utf8'))
  .filter(({ language }) => language === 'ts')
  .map(({ language, text }) => ({
    language,
    heading: 'the README of @lockerflow/api',
    text: text
      .replace('@lockerflow/api/contract', pathToFileURL(join(root, 'packages/build/entries/contract.ts')).href)
      .replaceAll('LOCKERFLOW_CALLBACK_KEY', 'CALLBACK_KEY')
      .replace('listen(8090)', "listen(Number(process.env.PORT), '127.0.0.1')"),
    missing: undefined,
  }))

test('the package types a notification, and checks its signature as the page says', async () => {
  const call = /`(checkWebhookSignature\(.*?\))`/.exec(page)?.[1]
  const receiver = `import { checkWebhookSignature, type FlowNotification } from '../../packages/build/entries/contract.ts'
export function read(headers: Record<string, string>, rawBody: Buffer, key: string): string | null {
  const fault = ${call}
  if (fault !== undefined) return null
  const { type, data }: FlowNotification = JSON.parse(rawBody.toString())
  // @ts-expect-error A type of another message.
  if (type === 'flow.started') return null
  return type === 'flow.asked' ? (data.asks?.who ?? null) : data.stage
}
`
  expect(await typeCheck({ 'receiver.ts': receiver })).toBe('')
})

describe.each([...snippets, ...(ofPackage ? [ofPackage] : [])])('the receiver in $heading', snippet => {
  const { language, text, missing } = snippet
  let receiver: RunningReceiver
  beforeAll(async () => {
    if (missing === undefined) receiver = await startSnippet(language, text, key)
  })
  afterAll(() => receiver?.stop())

  const runnable = test.skipIf(missing !== undefined)

  runnable('accepts a callback of the service', async () => {
    const world = await startServiceWorld()
    try {
      await world.call('ConfigureCallback', { url: receiver.url, authType: 'HMAC', authKey: key })
      const { success } = await world.call('CreateLocalShipmentAsStock', {
        PupUid: 'shared',
        AllowLargerLockers: true,
        AllowOverflowLockers: false,
        Dimension: { width: 10, height: 10, length: 10 },
      })
      expect(success).toBe(true)
      await eventually(() => receiver.output().includes('ReadyForDropOff') || undefined)
    } finally {
      await world.stop()
    }
  })

  runnable('accepts either signature while a key is replaced', async () => {
    expect(await send(receiver.url, { keys: ['another-32-random-characters-key', key] })).toBe(204)
  })

  test.skipIf(missing !== undefined || snippet === ofPackage)(
    'accepts a notification of a flow, and continues',
    async () => {
      const notification = { type: 'flow.ended', timestamp: '2026-11-20T13:00:00.000Z', data: { caseNo: 'N-1' } }
      expect(await send(receiver.url, { signed: JSON.stringify(notification) })).toBe(204)
      await eventually(() => receiver.output().includes('N-1') || undefined)
      expect(await send(receiver.url, {})).toBe(204)
    },
  )

  runnable('continues after a sender that breaks off', async () => {
    const socket = connect(Number(new URL(receiver.url).port), '127.0.0.1')
    await new Promise<void>(resolve => {
      socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc', () => resolve())
    })
    socket.destroy()
    for (let sent = 0; sent < 3; sent++) expect(await send(receiver.url, {})).toBe(204)
  })

  runnable('does not accept a body over 64 KiB, and continues', async () => {
    const signed = JSON.stringify(callbackExample)
    expect(await send(receiver.url, { signed: signed.padEnd(64 * 1_024) })).toBe(204)
    // Some close the connection, since they do not read the rest.
    const status = await send(receiver.url, { signed: signed.padEnd(64 * 1_024 + 1) }).catch(() => 'closed')
    expect([401, 413, 'closed']).toContain(status)
    expect(await send(receiver.url, {})).toBe(204)
  })

  runnable.each([
    ['missing', undefined],
    ['empty', ''],
  ])('accepts nothing while its key is %s', async (_, none) => {
    const started = startSnippet(language, text, none).then(keyless => {
      onTestFinished(() => keyless.stop())
      return keyless
    })
    // PHP runs the program for each request.
    if (language === 'php') expect(await send((await started).url, { keys: [''] })).toBe(500)
    else await expect(started).rejects.toThrow(/the receiver ended: .*CALLBACK_KEY must be set/s)
  })

  runnable.each([
    ['another key', { keys: ['another-32-random-characters-key'] }],
    ['a changed body', { body: JSON.stringify(callbackExample).replace('ReadyForPickup', 'Completed') }],
    ['an old time', { age: 1_000 }],
    ['a time in the future', { age: -1_000 }],
    [
      'a time that is not a number',
      { headers: { [webhookHeaders.id]: 'msg_1', [webhookHeaders.timestamp]: '\u00b2' } },
    ],
    ['no headers', { headers: {} }],
  ])('rejects a callback with %s', async (_, changes) => {
    expect(await send(receiver.url, changes)).toBe(401)
  })
})

interface Changes {
  readonly keys?: readonly string[]
  /** The body that is signed; by default a callback. */
  readonly signed?: string
  /** The body that is sent; by default the one that is signed. */
  readonly body?: string
  /** Seconds since the time of the callback; 0 by default. */
  readonly age?: number
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends a callback that is signed like those of the service, except for the changes. Returns the status. */
async function send(
  url: string,
  { keys = [key], signed = JSON.stringify(callbackExample), body, age = 0, headers }: Changes,
): Promise<number> {
  const time = Math.floor(Date.now() / 1000) - age
  const response = await fetch(url, {
    method: 'POST',
    body: body ?? signed,
    headers: headers ?? {
      [webhookHeaders.id]: 'msg_1',
      [webhookHeaders.timestamp]: `${time}`,
      [webhookHeaders.signature]: webhookSignature(keys, 'msg_1', time, signed),
    },
  })
  return response.status
}
