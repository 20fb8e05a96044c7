import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { startReceiver } from '../../support/servers/callbackReceiver.ts'
import { failures, quick, stock } from '../../support/service/callbacks.ts'
import { createWorld } from '../../support/world/createWorld.ts'

/** The resolver's responses for one host, in order; the last one repeats. */
const resolver = vi.hoisted(() => ({ host: 'rebinding.example', responses: [] as string[][], asked: 0 }))

function response(): LookupAddress[] {
  const addresses = resolver.responses[Math.min(resolver.asked, resolver.responses.length - 1)] ?? []
  resolver.asked += 1
  return addresses.map(address => ({ address, family: isIP(address) }))
}

// The resolver is no part of the project, and no name of the network does what this one does.
vi.mock('node:dns', async load => {
  const real = await load<typeof import('node:dns')>()
  const lookup = (host: string, options: object, done: (error: null, found: LookupAddress[]) => void) =>
    host === resolver.host ? done(null, response()) : real.lookup(host, { ...options, all: true }, done as never)
  return { ...real, default: real, lookup }
})
vi.mock('node:dns/promises', async load => {
  const real = await load<typeof import('node:dns/promises')>()
  const lookup = async (host: string, options: object) =>
    host === resolver.host ? response() : real.lookup(host, { ...options, all: true })
  return { ...real, default: real, lookup }
})

beforeEach(() => {
  resolver.asked = 0
})

const metadata = '169.254.169.254'

test.each([
  { what: 'public when it is registered, private when it is dialled', responses: [['8.8.8.8'], ['127.0.0.1']] },
  { what: 'a public and a private one when it is dialled', responses: [['8.8.8.8'], ['8.8.8.8', '127.0.0.1']] },
  { what: 'wrapped in IPv6 when it is dialled', responses: [['8.8.8.8'], ['::ffff:127.0.0.1']] },
  { what: 'that of a metadata service when it is dialled', responses: [['8.8.8.8'], [metadata]] },
  { what: 'that in staging too', responses: [['127.0.0.1'], [metadata]], staging: true },
  { what: 'that over NAT64 in staging', responses: [['127.0.0.1'], ['64:ff9b::a9fe:a9fe']], staging: true },
  { what: 'none when it is dialled', responses: [['8.8.8.8'], []] },
])('a host whose address is $what is not dialled', async ({ responses, staging = false }) => {
  const { world, receiver } = await start(responses, staging)
  await stock(world)
  await vi.waitFor(() => expect(failures(world)[0]).toMatchObject({ reason: 'EFORBIDDENADDRESS' }))
  expect(receiver.received).toEqual([])
})

test('the dialled address is the one that was checked', async () => {
  const { world, receiver } = await start([['127.0.0.1'], ['127.0.0.1'], [metadata]], true)
  await stock(world)
  await receiver.until(1)
  // Once to register, once to dial, with no look-up in between.
  expect(resolver.asked).toBe(2)
})

test.each([{ found: [metadata] }, { found: ['8.8.8.8', '10.0.0.1'] }, { found: [] }])(
  'a host that leads to $found is not registered',
  async ({ found }) => {
    const { registered } = await start([found], false)
    expect(registered).toMatchObject({ success: false, error: 'InvalidCallbackUrl' })
  },
)

/** A world with the callback address on that host, and who listens there. */
async function start(responses: string[][], staging: boolean) {
  resolver.responses = responses
  const world = await createWorld({ service: { delivery: quick, allowPrivateNetworks: staging } })
  const receiver = await startReceiver()
  onTestFinished(async () => {
    await world.stop()
    await receiver.stop()
  })
  const url = `${staging ? 'http' : 'https'}://${resolver.host}:${receiver.port}/`
  return { world, receiver, registered: await world.call('ConfigureCallback', { url, authType: 'None' }) }
}
