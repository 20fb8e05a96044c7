import { expect, onTestFinished, test, vi } from 'vitest'
import { signInWith, startWithRegistry } from '../../support/service/registry.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'

/** A service behind one proxy. */
async function start(): Promise<TestService> {
  const service = await startTestService({ trustProxy: 1 })
  onTestFinished(() => service.stop())
  return service
}

const from = (address: string) => ({ 'x-forwarded-for': address })

/** The statuses of token requests with these secrets from one address, one after the other. */
async function statuses(service: TestService, address: string, tries: readonly [clientId: string, secret: string][]) {
  const found: number[] = []
  for (const [clientId, secret] of tries) {
    found.push((await signInWith(service, clientId, secret, from(address))).status)
  }
  return found
}

const times = <Item>(count: number, item: Item): Item[] => Array.from({ length: count }, () => item)
const wrong: [string, string] = ['acme', 'wrong']
const right: [string, string] = ['acme', 'acme-secret']

test('wrong secrets lock a client out at their address only, and no other client there', async () => {
  const service = await start()
  expect(await statuses(service, '203.0.113.1', [...times(5, wrong), wrong, right])).toEqual([
    ...times(5, 401),
    429,
    429,
  ])
  expect(await statuses(service, '203.0.113.2', [right])).toEqual([200])
  expect(await statuses(service, '203.0.113.1', [['globex', 'globex-secret']])).toEqual([200])
})

test('a proxy that adds the port of the caller makes no single address of all callers', async () => {
  const service = await start()
  for (let port = 1_024; port < 1_029; port++) await statuses(service, `203.0.113.1:${port}`, [wrong])
  expect(await statuses(service, '203.0.113.2:1024', [right])).toEqual([200])
  expect(await statuses(service, '203.0.113.1:1029', [right])).toEqual([429])
})

test('a lock that ends later than possible has expired: the clock was set back', async () => {
  const service = await start()
  await statuses(service, '203.0.113.1', times(6, wrong))
  service.advance(-2 * 3_600_000)
  // The count stays, so that wrong secrets lock the client out by the new time.
  expect(await statuses(service, '203.0.113.1', [wrong, right])).toEqual([401, 429])
  const { headers } = await signInWith(service, ...right, from('203.0.113.1'))
  expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(900)
  expect(await statuses(service, '203.0.113.2', [right])).toEqual([200])
  service.advance(900_000)
  expect(await statuses(service, '203.0.113.1', [right])).toEqual([200])
})

test('a lock of an address that ends later than possible has expired too', async () => {
  const service = await start()
  const madeUp: [string, string] = ['made-up', 'x']
  expect(await statuses(service, '203.0.113.1', times(6, madeUp))).toEqual([...times(5, 401), 429])
  service.advance(-2 * 3_600_000)
  expect(await statuses(service, '203.0.113.1', [madeUp, madeUp])).toEqual([401, 429])
})

test('each wrong secret after a lock doubles the next one, up to fifteen minutes', async () => {
  const service = await start()
  await statuses(service, '203.0.113.1', times(5, wrong))
  const locks: number[] = []
  for (let count = 0; count < 8; count++) {
    const { status, headers } = await signInWith(service, ...right, from('203.0.113.1'))
    expect(status).toBe(429)
    locks.push(Number(headers.get('retry-after')))
    service.advance(1_000 * (locks.at(-1) ?? 0) + 1)
    expect(await statuses(service, '203.0.113.1', [wrong])).toEqual([401])
  }
  expect(locks).toEqual([30, 60, 120, 240, 480, 900, 900, 900])
})

test('an address is served again when its lock has ended', async () => {
  const service = await start()
  const madeUp: [string, string] = ['made-up', 'x']
  await statuses(service, '203.0.113.1', times(6, madeUp))
  service.advance(30_001)
  expect(await statuses(service, '203.0.113.1', [madeUp, madeUp])).toEqual([401, 429])
})

test('without a trusted proxy the header names no address', async () => {
  const service = await startTestService()
  onTestFinished(() => service.stop())
  await statuses(service, '203.0.113.1', times(5, wrong))
  expect(await statuses(service, '203.0.113.2', [right])).toEqual([429])
})

test('made-up ids share the limit of their address: they erase no lock, and fill no store', async () => {
  const service = await start()
  await statuses(service, '203.0.113.1', times(5, wrong))
  const madeUp = await Promise.all(
    Array.from({ length: 300 }, (_, id) => signInWith(service, `made-up-${id}`, 'x', from('203.0.113.2'))),
  )
  expect(madeUp.filter(({ status }) => status === 401)).toHaveLength(5)
  expect(madeUp.filter(({ status }) => status === 429)).toHaveLength(295)
  expect(await statuses(service, '203.0.113.1', [right])).toEqual([429])
  // The lock of the address is for wrong secrets, and tells nothing about which ids there are.
  expect(await statuses(service, '203.0.113.2', [wrong, ['made-up', 'x'], right])).toEqual([429, 429, 200])
  const rows = await service.store.selectFrom('secret_attempts').select(['client_id', 'address']).execute()
  expect(rows.length).toBeLessThanOrEqual(4)
})

test('of concurrent requests each costs a few statements, even if all have one made-up id', async () => {
  const service = await start()
  const statements = vi.spyOn(service.store.getExecutor(), 'executeQuery')
  for (const clientId of ['made-up', 'acme']) {
    const found = await Promise.all(
      Array.from({ length: 200 }, () => signInWith(service, clientId, 'x', from('203.0.113.1'))),
    )
    expect(new Set(found.map(({ status }) => status))).toEqual(new Set(clientId === 'acme' ? [429] : [401, 429]))
    expect(statements.mock.calls.length).toBeLessThan(2_000)
    statements.mockClear()
  }
})

test('guesses from many addresses leave each address one wrong secret; a right one is accepted from each', async () => {
  const service = await start()
  for (let address = 1; address <= 25; address++) await statuses(service, `198.51.100.${address}`, times(4, wrong))
  expect(await statuses(service, '203.0.113.1', [wrong, wrong, right])).toEqual([401, 429, 429])
  expect(await statuses(service, '203.0.113.2', [right])).toEqual([200])
  expect(await statuses(service, '198.51.100.1', [right])).toEqual([200])
})

test('after an attack has paused, one wrong secret locks out no address', async () => {
  const service = await start()
  for (let address = 1; address <= 25; address++) await statuses(service, `198.51.100.${address}`, times(4, wrong))
  service.advance(30_001)
  expect(await statuses(service, '203.0.113.1', [wrong, right])).toEqual([401, 200])
})

test('an expired secret locks out no process that has the new one', async () => {
  const { service, registry } = await startWithRegistry()
  const { clientSecret } = await registry.rotate({ clientId: 'acme', overlap: 0 })
  for (let count = 0; count < 10; count++) {
    const { status, body } = await signInWith(service, 'acme', 'acme-secret')
    expect({ status, message: body.message }).toEqual({ status: 401, message: 'The client secret has expired.' })
  }
  expect((await signInWith(service, 'acme', clientSecret)).status).toBe(200)
})

test('a right secret forgets the wrong ones before it', async () => {
  const service = await start()
  const round = [...times(4, wrong), right]
  // The address has had its five by then, so wrong secrets get 429, and the right one is still accepted.
  expect(await statuses(service, '203.0.113.1', [...round, ...round])).toEqual([
    ...times(4, 401),
    200,
    401,
    ...times(3, 429),
    200,
  ])
})
