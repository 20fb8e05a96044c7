import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { failures, quick, stock } from './callbacks.ts'
import { startReceiver } from './receiver.ts'
import { startWorld } from './world.ts'

/** What the resolver says of one host, each time that it is asked; the last for good. */
const resolver = vi.hoisted(() => ({ host: 'rebinding.example', answers: [] as string[][], asked: 0 }))

function answer(): LookupAddress[] {
  const addresses = resolver.answers[Math.min(resolver.asked, resolver.answers.length - 1)] ?? []
  resolver.asked += 1
  return addresses.map(address => ({ address, family: isIP(address) }))
}

// The resolver is no part of the project, and no name of the network does what this one does.
vi.mock('node:dns', async load => {
  const real = await load<typeof import('node:dns')>()
  const lookup = (host: string, options: object, done: (error: null, found: LookupAddress[]) => void) =>
    host === resolver.host ? done(null, answer()) : real.lookup(host, { ...options, all: true }, done as never)
  return { ...real, default: real, lookup }
})
vi.mock('node:dns/promises', async load => {
  const real = await load<typeof import('node:dns/promises')>()
  const lookup = async (host: string, options: object) =>
    host === resolver.host ? answer() : real.lookup(host, { ...options, all: true })
  return { ...real, default: real, lookup }
})

beforeEach(() => {
  resolver.asked = 0
})

const metadata = '169.254.169.254'

test.each([
  { what: 'public when it is registered, private when it is dialled', answers: [['8.8.8.8'], ['127.0.0.1']] },
  { what: 'a public and a private one when it is dialled', answers: [['8.8.8.8'], ['8.8.8.8', '127.0.0.1']] },
  { what: 'wrapped in IPv6 when it is dialled', answers: [['8.8.8.8'], ['::ffff:127.0.0.1']] },
  { what: 'that of a metadata service when it is dialled', answers: [['8.8.8.8'], [metadata]] },
  { what: 'that in staging too', answers: [['127.0.0.1'], [metadata]], staging: true },
  { what: 'none when it is dialled', answers: [['8.8.8.8'], []] },
])('a host whose address is $what is not dialled', async ({ answers, staging = false }) => {
  const { world, receiver } = await start(answers, staging)
  await stock(world)
  await vi.waitFor(() => expect(failures(world)[0]).toMatchObject({ why: 'EFORBIDDENADDRESS' }))
  expect(receiver.received).toEqual([])
})

test('what is dialled is the very address that was looked at', async () => {
  const { world, receiver } = await start([['127.0.0.1'], ['127.0.0.1'], [metadata]], true)
  await stock(world)
  await receiver.until(1)
  // Once to register, once to dial: nobody asked again in between.
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
async function start(answers: string[][], staging: boolean) {
  resolver.answers = answers
  const world = await startWorld({ delivery: quick, privateCallbacks: staging })
  const receiver = await startReceiver()
  onTestFinished(async () => {
    await world.stop()
    await receiver.stop()
  })
  const url = `${staging ? 'http' : 'https'}://${resolver.host}:${receiver.port}/`
  return { world, receiver, registered: await world.call('ConfigureCallback', { url, authType: 'None' }) }
}
