import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { maxWait } from '../support/eventually.ts'
import { holdStore } from '../support/service/blockedRequests.ts'
import { temporaryStore } from '../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../support/service/testService.ts'

const stock = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 10, height: 10, length: 10 },
}

test('a request in progress when the service stops gets its response', async () => {
  const service = await startTestService()
  await service.token()
  const letGo = await holdStore(service)
  const withKey = { headers: { 'idempotency-key': 'k' } }
  const both = [stock, stock].map(body => service.call('CreateLocalShipmentAsStock', body, withKey))
  // One of the two is refused while the other one waits for the store: from then on that one is running.
  expect((await Promise.race(both)).status).toBe(409)
  const stopped = service.stop()
  await letGo()
  const responses = await Promise.all(both)
  const running = responses.find(({ status }) => status === 200)
  expect(running?.body.success).toBe(true)
  expect(running?.headers.get('connection')).toBe('close')
  await stopped
  await expect(service.send('/health/live')).rejects.toThrow()
})

describe('on a connection in the middle of a request when the service stops', () => {
  test.each([
    ['GET', '/health/live', 200, null],
    ['GET', '/health/ready', 503, 'Unavailable'],
    ['POST', '/v1/Logistics/GetShipments', 503, 'Unavailable'],
    ['POST', '/connect/token', 503, 'Unavailable'],
  ])('%s %s gets %i', async (method, path, status, error) => {
    const service = await startTestService()
    const socket = await halfARequest(service, `${method} ${path}`)
    const stopped = service.stop()
    socket.write('\r\n')
    const [head, body] = (await text(socket)).split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status} `)
    expect(head?.toLowerCase()).toContain('connection: close')
    expect(JSON.parse(String(body))).toMatchObject({ success: status === 200, error })
    await stopped
  })

  test('the log has the response, and no warning about the store', async () => {
    const lines: { logId?: string; status?: number }[] = []
    const log = pino({}, { write: (line: string) => void lines.push(JSON.parse(line)) })
    const service = await startTestService({ log })
    const socket = await halfARequest(service, 'POST /v1/Logistics/GetShipments')
    const stopped = service.stop()
    socket.write('\r\n')
    await text(socket)
    await stopped
    expect(lines).toContainEqual(expect.objectContaining({ status: 503 }))
    expect(lines.filter(({ logId }) => logId === 'store-unavailable')).toEqual([])
  })

  test('a client that never ends its request is disconnected', async () => {
    const service = await startTestService({ shutdownTimeout: 50 })
    const socket = await halfARequest(service, 'GET /health/live')
    await service.stop()
    expect(await text(socket)).toBe('')
  })
})

test('a request on a keep-alive connection that crosses the stop gets a response', async () => {
  const service = await startTestService({ drainDelay: 2_000 })
  const socket = connect(service.port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  const head = 'HTTP/1.1\r\nHost: test\r\n\r\n'
  socket.write(`GET /health/live ${head}`)
  await once(socket, 'data')
  const stopped = service.stop()
  socket.write(`GET /health/ready ${head}`)
  expect(await text(socket)).toContain('HTTP/1.1 503 ')
  await stopped
})

test('a port in use fails the start, and leaves nothing running', async () => {
  const service = await startTestService()
  onTestFinished(() => service.stop())
  await expect(startTestService({ port: service.port })).rejects.toThrow('EADDRINUSE')
})

test('a setting that the HTTP server refuses fails the start, and nothing keeps the process alive', async () => {
  const settings = { databaseUrl: await temporaryStore(), port: 0, bodyLimit: -1 }
  const script = `
    const { startService } = await import('./service/index.ts')
    await startService(${JSON.stringify(settings)}).catch(error => console.log(error.message))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: childEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
    // Guards against hanging only.
    timeout: maxWait,
  })
  const [refused, ended] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(refused).toContain('bodyLimit')
  expect(ended).toEqual([0, null])
})

test.each([
  [{ host: '0.0.0.0' }, 'http://127.0.0.1'],
  [{ host: 'localhost' }, 'http://localhost'],
  [{ publicUrl: 'https://lockers.example/api/' }, 'https://lockers.example/api'],
])('listening on %o it is reached at %s', async (settings, address) => {
  const service = await startTestService(settings)
  onTestFinished(() => service.stop())
  expect(service.address).toBe('publicUrl' in settings ? address : `${address}:${service.port}`)
})

test('stopping twice has the effect of once', async () => {
  const service = await startTestService()
  await Promise.all([service.stop(), service.stop()])
})

describe('the process', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('reports when it is ready, and %s ends it cleanly', async signal => {
    const service = start({ LOCKERFLOW_DATABASE_URL: await temporaryStore(), LOCKERFLOW_SERVICE_PORT: '0' })
    // A start that fails says why, instead of leaving the test to wait for a line that never comes.
    const failed = text(service.stderr).then(output => Promise.reject(new Error(`it ended: ${output}`)))
    failed.catch(() => undefined)
    const [line] = await Promise.race([once(createInterface(service.stdout), 'line'), failed])
    const [, address] = /^service ready: (http:\/\/127\.0\.0\.1:\d+), staging$/.exec(String(line)) ?? []
    await expect.poll(async () => (await fetch(`${address}/health/ready`)).status).toBe(200)
    service.kill(signal)
    expect(await once(service, 'exit')).toEqual([0, null])
  })

  test('reports an invalid setting, and ends', async () => {
    const service = start({ LOCKERFLOW_SERVICE_PORT: 'eighty' })
    const [output, [code]] = await Promise.all([text(service.stderr), once(service, 'exit')])
    expect(output).toBe(
      'service: LOCKERFLOW_SERVICE_PORT: must be a port from 0 to 65535. Example: LOCKERFLOW_SERVICE_PORT=8080\nSee docs/reference/errors.md#invalidsettings.\n',
    )
    expect(code).toBe(2)
  })
})

/** A connection that has had one response and has sent all but the last line of the next request's head. */
async function halfARequest({ port }: TestService, request: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  // Both in one piece: when the first is answered, the service has seen what there is of the second.
  socket.write(`GET /health/live HTTP/1.1\r\nHost: test\r\n\r\n${request} HTTP/1.1\r\nHost: test\r\n`)
  await once(socket, 'data')
  return socket
}

function start(environment: Record<string, string>) {
  const child = spawn(process.execPath, ['service/main.ts'], { env: { ...childEnvironment, ...environment } })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}
