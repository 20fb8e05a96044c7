import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { checkAdapter } from '#service/adapter'
import { freePort } from '../../../platform/ports.ts'
import {
  checkedDoor,
  type Fault,
  type Message,
  resigned,
  startFaultyAdapter,
} from '../../support/hardware/faultyAdapter.ts'
import { hardwareKey, signed } from '../../support/hardware/messages.ts'

async function check(fault: Fault, only?: string, eventTimeout?: number) {
  const port = await freePort('127.0.0.1')
  const adapter = await startFaultyAdapter(port, fault)
  onTestFinished(adapter.stop)
  return checkAdapter({
    url: adapter.url,
    key: hardwareKey,
    door: checkedDoor,
    events: { host: '127.0.0.1', port },
    only,
    eventTimeout,
  })
}

const parse = ({ body }: Pick<Message, 'body'>) => JSON.parse(body) as Record<string, unknown>

test('the simulator passes every check', async () => {
  const results = await check({})
  expect(results.length).toBeGreaterThan(30)
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})

test('without a port for events their checks are left out', async () => {
  const adapter = await startFaultyAdapter(1)
  onTestFinished(adapter.stop)
  const options = { url: adapter.url, key: hardwareKey, door: checkedDoor, events: undefined }
  const results = await checkAdapter({ ...options, only: 'event' })
  expect(results.length).toBeGreaterThan(3)
  expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(['left out']))
})

/** Ids by which the simulator opened, and those of the requests. */
const renamed = new Map<string, string>()
const answered = new Map<string, string>()
let delivered = 0

/** Faults, the check that finds each, and the checks that run: by default only that one. */
const faults: readonly [string, Fault, finds: string, only?: string][] = [
  ...[
    'without an id',
    'without a timestamp',
    'without a signature',
    'with an empty signature',
    'with another key',
    'with a changed body',
    'with a blank after its body',
    'with a changed id',
    'with a changed timestamp',
    'of an hour ago',
    'of the next hour',
  ].map((name): [string, Fault, string] => [
    `accepts a request ${name}`,
    { request: (message, forward) => forward(resigned(message)) },
    `refuses a request ${name}`,
  ]),
  [
    'verifies the parsed body',
    {
      request: (message, forward) => forward({ ...message, body: JSON.stringify(parse(message)) }),
    },
    'verifies the bytes of the body, in any notation',
  ],
  [
    'verifies the first signature only',
    {
      request(message, forward) {
        const [first = ''] = message.headers['webhook-signature']?.split(' ') ?? []
        return forward({ ...message, headers: { ...message.headers, 'webhook-signature': first } })
      },
    },
    'accepts two signatures',
  ],
  ...['behind', 'ahead'].map((name): [string, Fault, string] => [
    `refuses a clock that is ten minutes ${name}`,
    {
      async request(message, forward) {
        const skew = Math.abs(Date.now() / 1_000 - Number(message.headers['webhook-timestamp']))
        return skew > 300 ? { status: 401, body: '' } : forward(message)
      },
    },
    `accepts a clock that is ten minutes ${name}`,
  ]),
  [
    'opens for each request',
    {
      request(message, forward) {
        const openId = randomUUID()
        renamed.set(openId, String(parse(message).openId))
        const renamedBody = JSON.stringify({ ...parse(message), openId })
        return forward(resigned(message, renamedBody, openId)).then(({ status, body }) => ({
          status,
          body: body.replace(openId, renamed.get(openId) ?? ''),
        }))
      },
      event: (message, forward) => {
        const openId = renamed.get(String(parse(message).openId))
        return forward(resigned(message, JSON.stringify({ ...parse(message), openId })))
      },
    },
    'opens a door once for each openId',
  ],
  [
    'opens another door',
    {
      request: (message, forward) => forward(resigned(message, JSON.stringify({ ...parse(message), ...checkedDoor }))),
    },
    'refuses to open a door that it does not have',
  ],
  [
    'reports another door',
    {
      request: (message, forward) => forward(resigned(message, JSON.stringify({ ...parse(message), ...checkedDoor }))),
    },
    'refuses the state of a door that it does not have',
  ],
  ...['a body that is not JSON', 'a body without a locker', 'a request of another type'].map(
    (name): [string, Fault, string] => [
      `accepts ${name}`,
      {
        async request(message, forward) {
          const answer = await forward(message)
          return answer.status === 400 ? { status: 200, body: '{}' } : answer
        },
      },
      `refuses ${name}`,
    ],
  ),
  [
    'has no limit of the body',
    {
      request(message, forward) {
        const { more: _, ...rest } = parse(message)
        return forward(resigned(message, JSON.stringify(rest)))
      },
    },
    'refuses a body of 17 KiB',
  ],
  [
    'responds with another openId',
    {
      request: async (message, forward) => ({
        status: 200,
        body: JSON.stringify({ ...parse(await forward(message)), openId: 'another' }),
      }),
    },
    'opens a door',
  ],
  ...['open', 'state'].flatMap((path): [string, Fault, string][] => {
    const finds = `signs its response to ${path}`
    const withSignature = (signature: (body: string) => Record<string, string>): Fault => ({
      request: async (message, forward) => {
        const answer = await forward(message)
        return { ...answer, signature: signature(answer.body) }
      },
    })
    return [
      [`does not sign its response to ${path}`, withSignature(() => ({})), finds],
      [
        `signs its response to ${path} with another key`,
        withSignature(body => signed(body, { keys: ['another-key-of-an-adapter'] }).headers),
        finds,
      ],
      [`signs its response to ${path} for another request`, withSignature(body => signed(body).headers), finds],
    ]
  }),
  [
    'responds after four seconds',
    {
      async request(message, forward) {
        await delay(3_100)
        return forward(message)
      },
    },
    'responds to concurrent requests',
  ],
  [
    'responds with a word of its own',
    {
      request: async (message, forward) => ({
        status: 200,
        body: (await forward(message)).body.replace('"state":"closed"', '"state":"locked"'),
      }),
    },
    'reports the state of a door',
  ],
  [
    'forgets its response',
    {
      async request(message, forward) {
        const { openId } = parse(message)
        const answer = await forward(message)
        const isFirst = !answered.has(String(openId))
        answered.set(String(openId), answer.body)
        return isFirst ? answer : { ...answer, body: answer.body.replace('"state":"open"', '"state":"closed"') }
      },
    },
    'repeats its response to a repeated openId',
  ],
  [
    'returns a response by the id alone',
    {
      async request(message, forward) {
        const { openId } = parse(message)
        const answer = await forward(message)
        if (answer.status === 200) answered.set(String(openId), answer.body)
        return { status: 200, body: answered.get(String(openId)) ?? '' }
      },
    },
    'refuses an openId of another door',
  ],
  [
    'refuses a field that it does not know',
    {
      request: async (message, forward) => (parse(message).added ? { status: 400, body: '' } : forward(message)),
    },
    'ignores fields that it does not know',
  ],
  [
    'opens before it verifies',
    {
      async request(message, forward) {
        const answer = await forward(message)
        if (answer.status === 401 && message.headers['webhook-id']) await forward(resigned(message))
        return answer
      },
    },
    'opened no door for a request that it refused',
    're',
  ],
  ['sends no events', { event: async () => ({ status: 200, body: '' }) }, 'sends the event opened with the openId'],
  [
    'does not sign its events',
    {
      event({ path, headers, body }, forward) {
        const { 'webhook-signature': _, ...rest } = headers
        return forward({ path, headers: rest, body })
      },
    },
    'signs every event',
    'event',
  ],
  [
    'signs its events with another key',
    {
      event({ path, headers, body }, forward) {
        const text = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
        const signature = `v1,${createHmac('sha256', 'another key').update(text).digest('base64')}`
        return forward({ path, headers: { ...headers, 'webhook-signature': signature }, body })
      },
    },
    'signs every event',
    'event',
  ],
  [
    'sends an event once only',
    { event: async (message, forward) => ({ ...(await forward(message)), status: 200 }) },
    'repeats an event',
  ],
  [
    'repeats an event with another id',
    { event: (message, forward) => forward(resigned(message, message.body, randomUUID())) },
    'repeats an event',
  ],
  [
    'repeats an event with another body',
    {
      event: (message, forward) =>
        forward(resigned(message, JSON.stringify({ ...parse(message), reason: String(delivered++) }))),
    },
    'repeats an event',
  ],
  [
    'numbers all events alike',
    { event: (message, forward) => forward(resigned(message, JSON.stringify({ ...parse(message), sequence: 7 }))) },
    'numbers the events',
  ],
  [
    'reports no sequence in its state',
    {
      request: async (message, forward) => {
        const answer = await forward(message)
        return { ...answer, body: answer.body.replace(/"sequence":\d+/, '"sequence":0') }
      },
    },
    'numbers the events',
  ],
]

test.each(faults)('an adapter that %s is found', async (_, fault, finds, only = finds) => {
  const results = await check(fault, only, 1_000)
  const failed = results.filter(({ outcome }) => outcome === 'failed').map(({ name }) => name)
  expect(failed).toContainEqual(expect.stringContaining(finds))
})
