import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { uidSignature } from '#contract'
import { fullProfile } from '#contract/terms'
import { createBodyReader } from '../../gateway/body.ts'
import { expectFairShare } from '../support/service/fairness.ts'
import { startGatewayProcess } from '../support/world/gatewayProcess.ts'
import { bodyOf, keys, post, signed, test } from '../support/world/gatewayTest.ts'

/** Many keys, since a parser needs longer for them than for one long text. */
const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`key${index}`, index]))
const long = bodyOf('any-case', many)

describe('a body that nothing proves', () => {
  test('is not parsed', async ({ gateway }) => {
    const parse = vi.spyOn(JSON, 'parse')
    for (const body of [bodyOf('any-case'), long]) {
      for (const headers of [{}, signed(body, { by: ['a-guessed-key'] })]) {
        expect((await post(gateway, body, headers)).status).toBe(401)
      }
    }
    const parsed = parse.mock.calls.map(([text]) => text)
    parse.mockRestore()
    expect(parsed.filter(text => text.includes('any-case'))).toEqual([])
  })

  test('is not read when the headers are wrong', async ({ gateway }) => {
    const body = new ReadableStream<Uint8Array>({ start: controller => controller.enqueue(new Uint8Array(10)) })
    const request = { method: 'POST', body, duplex: 'half' } as RequestInit
    const { status, headers } = await fetch(`${gateway.address}/callbacks`, request)
    expect(status).toBe(401)
    // Node.js would read the rest of the body over an open connection.
    expect(headers.get('connection')).toBe('close')
  })

  test('and that is not read keeps its connection up to 1 MiB', async ({ gateway }) => {
    const mebibyte = 1024 * 1024
    const agent = new Agent({ keepAlive: true })
    const connections: unknown[] = []
    for (const length of [mebibyte, mebibyte + 1]) {
      const options = { method: 'POST', headers: { 'content-length': length }, agent }
      const sent = request(`${gateway.address}/callbacks`, options).on('error', () => {})
      sent.flushHeaders()
      const [{ statusCode, headers }] = (await once(sent, 'response')) as [IncomingMessage]
      connections.push([statusCode, headers.connection])
      sent.destroy()
    }
    expect(connections).toEqual([
      [401, 'keep-alive'],
      [401, 'close'],
    ])
  })

  test('is not parsed over 64 KiB when only its content could prove it, and not listed', async ({ open }) => {
    const gateway = await open({ profile: { ...fullProfile, standardWebhooks: false } })
    const parse = vi.spyOn(JSON, 'parse')
    const { status } = await post(gateway, long, { 'x-hmac': uidSignature(keys.current, 'S1') })
    const parsed = parse.mock.calls.map(([text]) => text)
    parse.mockRestore()
    expect(status).toBe(202)
    expect(parsed.filter(text => text.includes('any-case'))).toEqual([])
    expect(gateway.rejected()).toEqual([])
  })

  test('is one log line per interval', async ({ gateway, lines }) => {
    const body = bodyOf('any-case')
    for (let times = 0; times < 50; times++) await post(gateway, body, {})
    expect(gateway.counts.invalidSignature).toBe(50)
    expect(lines.filter(line => line.includes('invalidSignature')).length).toBeLessThan(5)
  })
})

test('senders that never end do not keep a callback away', async ({ gateway, flow }) => {
  const { hostname, port } = new URL(gateway.address)
  const headers = Object.entries(signed('')).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `POST /callbacks HTTP/1.1\r\nhost: a\r\ncontent-length: 1000\r\n${headers.join('')}\r\n{`
  const slow = Array.from({ length: 1_100 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {}).write(head)
    return socket
  })
  await vi.waitFor(() => expect(slow.filter(({ closed }) => closed).length).toBeGreaterThan(50), { timeout: 20_000 })
  expect((await post(gateway, bodyOf(flow.caseNo))).status).toBe(204)
  for (const socket of slow) socket.destroy()
})

test('a flood of large forgeries does not delay callbacks', async ({ service }) => {
  const { child: gateway, address } = await startGatewayProcess(service.url, keys.current)
  onTestFinished(() => void gateway.kill('SIGKILL'))
  const { host, port } = new URL(address)
  const headers = Object.entries(signed(long, { by: ['a-guessed-key'] })).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  const workerData = {
    port: Number(port),
    head: `POST /callbacks HTTP/1.1\r\nhost: ${host}\r\n${headers.join('')}`,
    body: long,
    connections: 8,
  }
  let sent = 0
  await expectFairShare({
    seconds: 2,
    // Parsing eight of the bodies takes more than a second.
    floor: 700,
    quiet: () => post({ address }, bodyOf(`case-${sent++}`, { shipmentUid: `S${sent}` })),
    async worst(signal) {
      const forger = new Worker(new URL('../support/servers/forger.ts', import.meta.url), { workerData })
      await once(signal, 'abort')
      await forger.terminate()
    },
  })
})

test('the oldest body is cut off when too many are read', async () => {
  const read = createBodyReader(2)
  const streams = Array.from({ length: 3 }, () => new PassThrough())
  const bodies = streams.map(stream => read(stream, () => {}))
  await expect(bodies[0]).rejects.toThrow()
  for (const stream of streams.slice(1)) stream.end('ok')
  expect(await Promise.all(bodies.slice(1))).toMatchObject([{ bytes: 2 }, { bytes: 2 }])
})

test('bytes beyond 64 KiB are read at a rate that all senders share, and other bodies do not wait', async () => {
  const kibibyte = 1_024
  const read = createBodyReader(8, 256 * kibibyte)
  const startedAt = performance.now()
  const send = (kibibytes: number) => {
    const stream = new PassThrough()
    const body = read(stream, () => {})
    for (let sent = 0; sent < kibibytes; sent += 16) stream.write(Buffer.alloc(16 * kibibyte))
    stream.end()
    return body
  }
  const long = [send(128), send(128)]
  let ended = 0
  for (const body of long) void body.then(() => ended++)
  expect(await send(64)).toMatchObject({ bytes: 64 * kibibyte, content: expect.any(Buffer) })
  expect(ended).toBe(0)
  expect(await Promise.all(long)).toEqual(Array(2).fill({ bytes: 128 * kibibyte, content: undefined }))
  // 128 KiB of both together, of which a tenth of a second is free.
  expect(performance.now() - startedAt).toBeGreaterThan(390)
})
