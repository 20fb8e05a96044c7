import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { maxMessageBytes, webhookHeaders } from '#contract'
import type { AdapterResponse, Signing } from './adapter.ts'
import { type Check, CheckFailed, expectStatus, openDoor, readState, toOpenRequest, toStateRequest } from './context.ts'

const hour = 3_600
const tenMinutes = 600

/** Requests that prove nothing, by the way in which they differ from a signed one. */
const forgeries: Readonly<Record<string, (body: string) => Signing>> = {
  'without an id': () => ({ headers: { [webhookHeaders.id]: undefined } }),
  'without a timestamp': () => ({ headers: { [webhookHeaders.timestamp]: undefined } }),
  'without a signature': () => ({ headers: { [webhookHeaders.signature]: undefined } }),
  'with an empty signature': () => ({ headers: { [webhookHeaders.signature]: 'v1,' } }),
  'with another key': () => ({ keys: [randomUUID()] }),
  'with a changed body': body => ({ sent: body.replace('"validForMs":3000', '"validForMs":3001') }),
  'with a blank after its body': body => ({ sent: `${body} ` }),
  'with a changed id': () => ({ headers: { [webhookHeaders.id]: randomUUID() } }),
  'with a changed timestamp': () => ({
    headers: { [webhookHeaders.timestamp]: String(Math.floor(Date.now() / 1_000) - 1) },
  }),
  'of an hour ago': () => ({ ahead: -hour }),
  'of the next hour': () => ({ ahead: hour }),
}

const forged: readonly Check[] = Object.entries(forgeries).map(([name, forge]) => ({
  name: `refuses a request ${name}`,
  async run({ adapter, door }) {
    const open = toOpenRequest(door)
    const body = JSON.stringify(open)
    expectStatus(await adapter.post('open', body, { id: open.openId, ...forge(body) }), 401)
  },
}))

/** Signed requests that are invalid. */
const invalid: readonly Check[] = [
  {
    name: 'refuses a body that is not JSON with 400',
    run: async ({ adapter }) => expectStatus(await adapter.post('open', '{'), 400),
  },
  {
    name: 'refuses a body without a locker with 400',
    async run({ adapter, door }) {
      const { lockerUid: _, ...open } = toOpenRequest(door)
      expectStatus(await adapter.post('open', JSON.stringify(open), { id: open.openId }), 400)
    },
  },
  {
    name: 'refuses a request of another type with 400',
    async run({ adapter, door }) {
      const open = toOpenRequest(door)
      expectStatus(await adapter.post('open', JSON.stringify({ ...open, type: 'event' }), { id: open.openId }), 400)
    },
  },
  {
    name: 'refuses a body of 17 KiB',
    async run({ adapter, door }) {
      const open = toOpenRequest(door)
      const body = JSON.stringify({ ...open, more: 'a'.repeat(maxMessageBytes + 1_024) })
      // A server may close the connection while the body still arrives.
      expectStatus(await adapter.post('open', body, { id: open.openId }), 413, 0)
    },
  },
  {
    name: 'refuses to open a door that it does not have with 404',
    async run({ adapter, door }) {
      const open = toOpenRequest({ ...door, lockerUid: randomUUID() })
      expectStatus(await adapter.post('open', JSON.stringify(open), { id: open.openId }), 404)
    },
  },
  {
    name: 'refuses the state of a door that it does not have with 404',
    async run({ adapter, door }) {
      const body = JSON.stringify(toStateRequest({ ...door, lockerUid: randomUUID() }))
      expectStatus(await adapter.post('state', body), 404)
    },
  },
]

function expectSigned(response: AdapterResponse): void {
  expectStatus(response, 200)
  if (response.fault !== undefined) throw new CheckFailed(`the response is not signed: ${response.fault}`)
}

/** Requests that an adapter must accept. */
const valid: readonly Check[] = [
  { name: 'opens a door', run: async context => void (await openDoor(context)) },
  { name: 'reports the state of a door', run: async context => void (await readState(context)) },
  {
    name: 'signs its response to open, with the id of the request',
    async run({ adapter, door, validIds }) {
      const open = toOpenRequest(door)
      validIds.add(open.openId)
      expectSigned(await adapter.post('open', JSON.stringify(open), { id: open.openId }))
    },
  },
  {
    name: 'signs its response to state, with the id of the request',
    run: async ({ adapter, door }) => expectSigned(await adapter.post('state', JSON.stringify(toStateRequest(door)))),
  },
  {
    name: 'repeats its response to a repeated openId',
    async run(context) {
      const openId = randomUUID()
      const first = await openDoor(context, openId)
      const second = await openDoor(context, openId)
      if (!isDeepStrictEqual(first, second)) throw new CheckFailed('the second response differs from the first')
    },
  },
  {
    name: 'responds to concurrent requests with one openId alike',
    async run(context) {
      const openId = randomUUID()
      const [first, ...others] = await Promise.all([1, 2, 3, 4].map(() => openDoor(context, openId)))
      if (others.some(other => !isDeepStrictEqual(first, other))) throw new CheckFailed('the responses differ')
    },
  },
  {
    name: 'refuses an openId of another door',
    async run(context) {
      const { openId } = await openDoor(context)
      const open = toOpenRequest({ ...context.door, lockerUid: randomUUID() }, openId)
      expectStatus(await context.adapter.post('open', JSON.stringify(open), { id: openId }), 404, 409)
    },
  },
  ...[-tenMinutes, tenMinutes].map(ahead => ({
    name: `accepts a clock that is ten minutes ${ahead < 0 ? 'behind' : 'ahead'}`,
    run: async (context: Parameters<Check['run']>[0]) => void (await openDoor(context, randomUUID(), { ahead })),
  })),
  {
    name: 'accepts two signatures of which the second is right',
    run: async context => void (await openDoor(context, randomUUID(), { keys: [randomUUID(), context.key] })),
  },
  {
    name: 'verifies the bytes of the body, in any notation',
    async run(context) {
      const open = toOpenRequest(context.door)
      context.validIds.add(open.openId)
      const fields = Object.entries(open).toReversed()
      const text = `{\n${fields.map(([name, value]) => `  "${name}" :\t${JSON.stringify(value)}`).join(',\n')} }\n`
      const body = text.replace('"open"', '"\\u006fpen"')
      expectStatus(await context.adapter.post('open', body, { id: open.openId }), 200)
    },
  },
  {
    name: 'ignores fields that it does not know',
    async run(context) {
      const open = toOpenRequest(context.door)
      context.validIds.add(open.openId)
      const body = JSON.stringify({ ...open, added: { later: true } })
      expectStatus(await context.adapter.post('open', body, { id: open.openId }), 200)
    },
  },
]

export const requestChecks: readonly Check[] = [...valid, ...forged, ...invalid]
