import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operations } from '#contract'
import { startTestService, type TestService } from '../../support/service/testService.ts'

const megabyte = 1_048_576
/** Bytes per second. */
const bodyRate = megabyte

const json = { 'content-type': 'application/json' }

let service: TestService
let bearer: { authorization: string }
beforeAll(async () => {
  service = await startTestService({ bodyRate, bodyLimit: 1.25 * megabyte, trustProxy: 1 })
  bearer = { authorization: `Bearer ${await service.token()}` }
})
afterAll(() => service.stop())

/** Sends a body and waits for the response, on a connection that closes then. */
async function post(bytes: number, headers: Record<string, string> = bearer) {
  const startedAt = performance.now()
  const { path } = operations.GetPickUpPoints
  const sent = request({ port: service.port, method: 'POST', path, headers: { ...headers, ...json }, agent: false })
  sent.end(JSON.stringify({ note: 'x'.repeat(bytes) }))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  await text(response)
  return { status: response.statusCode, took: performance.now() - startedAt }
}

/** Lower limits only: on a busy machine all of it takes longer. Half a second of the rate arrives at once. */
test('bodies of a tenant beyond its rate are read later', async () => {
  const startedAt = performance.now()
  expect(await post(megabyte)).toMatchObject({ status: 200 })
  expect(await post(1)).toMatchObject({ status: 200 })
  // The first body took a second of the rate. A pause between the two is part of the time, since the rate goes on.
  expect(performance.now() - startedAt).toBeGreaterThan(450)
})

test('a body over the limit is discarded at the rate, and its sender gets 413', async () => {
  const { status, took } = await post(1.5 * megabyte)
  expect(status).toBe(413)
  expect(took).toBeGreaterThan(750)
})

test('a file is read at the rate', async () => {
  const form = new FormData()
  form.append('data', '{}')
  form.append('file', new Blob(['x'.repeat(megabyte)]), 'a.csv')
  const startedAt = performance.now()
  const url = new URL(operations.UploadAccountSuggestions.path, `http://127.0.0.1:${service.port}`)
  await (await fetch(url, { method: 'POST', body: form, headers: bearer })).text()
  expect(performance.now() - startedAt).toBeGreaterThan(400)
})

test('bodies without a token count by address, apart from those of the tenant', async () => {
  const { status, took } = await post(1.5 * megabyte, {})
  expect(status).toBe(401)
  expect(took).toBeGreaterThan(750)
})

test('the addresses of one caller without a token count together: those of an IPv6 network, and every port', async () => {
  for (const [first, second] of [
    ['2001:db8::1', '2001:db8::2'],
    ['203.0.113.1:1024', '203.0.113.1:1025'],
  ] as const) {
    const startedAt = performance.now()
    await post(1.5 * megabyte, { 'x-forwarded-for': first })
    await post(1.5 * megabyte, { 'x-forwarded-for': second })
    // Two callers would take two seconds, since half a second of each one's rate arrives at once.
    expect(performance.now() - startedAt).toBeGreaterThan(2_250)
  }
})
