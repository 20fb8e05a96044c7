import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { createLog } from '#platform/logs'
import { startSimulator } from '#service/adapter'
import { freePort } from '../../../platform/ports.ts'
import { guardChild } from '../../../testing/temporal/serverProcess.ts'
import { childEnvironment } from '../../support/childEnvironment.ts'
import { exampleOf } from '../../support/command/examples.ts'
import { runCommandLine } from '../../support/command/processLike.ts'
import { checkedDoor } from '../../support/hardware/faultyAdapter.ts'
import { hardwareKey } from '../../support/hardware/messages.ts'

const program = fileURLToPath(new URL('../../../cli/lockerflow.ts', import.meta.url))
const env = { ...childEnvironment, LOCKERFLOW_HARDWARE_KEY: hardwareKey }

let simulator: ChildProcess
let url: string
let eventsPort: number

beforeAll(async () => {
  eventsPort = await freePort('127.0.0.1')
  simulator = spawn(process.execPath, [program, 'hardware'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...env,
      LOCKERFLOW_SIMULATOR_PORT: '0',
      LOCKERFLOW_SIMULATOR_EVENTS_URL: `http://127.0.0.1:${eventsPort}/hardware/events`,
    },
  })
  guardChild(simulator, 1)
  if (simulator.stdout === null) throw new Error('no output')
  const [line] = await once(createInterface(simulator.stdout), 'line')
  url = /^hardware ready: (\S+), simulated$/.exec(line)?.[1] ?? ''
})

afterAll(() => void simulator.kill('SIGKILL'))

const check = (...args: string[]) => runCommandLine(env, args)

const target = () => exampleOf('hardware check', { 'http://127.0.0.1:8086': url, 'locker-1': checkedDoor.lockerUid })

/** The example with other values of some options: none may be given twice. */
function targetWith(...options: readonly string[]): string[] {
  const words = target()
  const isReplaced = (word: string | undefined) => word?.startsWith('--') && options.includes(word)
  return [...words.filter((word, at) => !isReplaced(word) && !isReplaced(words[at - 1])), ...options]
}

test('the checks pass against the simulator, a process of its own', async () => {
  const { stdout, code } = await check(...target(), '--events-port', String(eventsPort))
  expect(stdout).toMatch(/^passed: opens a door$/m)
  expect(stdout).toMatch(/\n\d\d passed, 0 failed\n$/)
  expect(code).toBe(0)
})

test('a failed check is a line with its reason, and exit code 1', async () => {
  const { stdout, code } = await check(...target(), '--key', 'another-key-than-the-simulator', '--only', 'opens a door')
  expect(stdout).toContain('failed: opens a door: the status is 401, not 200\n')
  expect(stdout).toContain('0 passed, 1 failed, 1 left out without --events-port\n')
  expect(code).toBe(1)
})

test.each([
  [['--url', 'adapter'], '--url: must be an http or https address, got "adapter".'],
  [['--url', 'http://a', '--locker', ''], '--locker: must be a uid'],
  [['--url', 'http://a', '--key', 'short'], '--key: '],
  [['--url', 'http://a', '--events-port', '70000'], '--events-port: must be a port, got "70000".'],
])('%j is exit code 2', async (args, message) => {
  const { stderr, code } = await check(...targetWith(...args))
  expect(stderr).toMatch(new RegExp(`^hardware check: ${message}`))
  expect(code).toBe(2)
})

test('an adapter that does not answer is exit code 3', async () => {
  const { stderr, code } = await check(...targetWith('--url', `http://127.0.0.1:${await freePort('127.0.0.1')}`))
  expect(stderr).toContain('does not respond')
  expect(code).toBe(3)
})

test('the control API changes a door, and rejects what it does not know', async () => {
  const door = `${url}/control/doors/${checkedDoor.lockerUid}`
  const send = (method: string, path: string, body: object) =>
    fetch(door + path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  expect(await (await send('PUT', '', { behaviour: 'stuck' })).json()).toMatchObject({ state: 'broken' })
  expect(await (await send('POST', '/events', { event: 'closed' })).json()).toMatchObject({ state: 'closed' })
  expect((await send('PUT', '', { behaviour: 'melt' })).status).toBe(400)
  expect((await send('POST', '/events', { event: 'melted' })).status).toBe(400)
})

test('each refusal of the control API says what to change', async () => {
  const doors = `${url}/control/doors`
  const refusal = async (path: string, method: string, body?: string, type = 'application/json') => {
    const response = await fetch(doors + path, { method, ...(body && { body, headers: { 'content-type': type } }) })
    return { status: response.status, ...((await response.json()) as object) }
  }
  const unknownDoor = { status: 404, message: 'lockerUid: must be one that GET /control/doors lists.' }
  expect(await refusal('/unknown', 'GET')).toEqual(unknownDoor)
  expect(await refusal('/unknown', 'PUT', '{ "behaviour": "stuck" }')).toEqual(unknownDoor)
  expect(await refusal('/unknown/events', 'POST', '{ "event": "forced" }')).toEqual(unknownDoor)
  // As curl sends it without a header.
  expect(await refusal(`/${checkedDoor.lockerUid}`, 'PUT', '{}', 'application/x-www-form-urlencoded')).toEqual({
    status: 415,
    message: 'The header content-type must be application/json.',
  })
  expect(await refusal(`/${checkedDoor.lockerUid}`, 'PUT', '{ "behaviour":')).toEqual({
    status: 400,
    message: 'The body must be JSON.',
  })
})

test('SIGTERM stops the simulator, even while its events are not accepted', async () => {
  simulator.kill('SIGTERM')
  expect(await once(simulator, 'exit')).toEqual([0, null])
})

test('a simulator on all addresses has one at which it is reached', async () => {
  const settings = {
    host: '0.0.0.0',
    port: 0,
    keys: [hardwareKey],
    eventsUrl: () => undefined,
    closeAfter: 0,
    doors: [],
  }
  const reached = await startSimulator(settings)
  try {
    expect(new URL(reached.address).hostname).toBe('127.0.0.1')
    expect((await fetch(`${reached.address}/health/live`)).status).toBe(200)
  } finally {
    await reached.stop()
  }
})

test('a reason why events do not arrive is logged once, until one is accepted', async () => {
  const statuses = [401, 401, 204, 413]
  const receiver = createServer((_request, response) => void response.writeHead(statuses.shift() ?? 204).end())
  const port = await freePort('127.0.0.1')
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { write: line => void lines.push(JSON.parse(line)) })
  const settings = { host: '127.0.0.1', port: 0, keys: [hardwareKey], closeAfter: 0, doors: [checkedDoor], log }
  const sending = await startSimulator({ ...settings, eventsUrl: () => `http://127.0.0.1:${port}/hardware/events` })
  onTestFinished(() => sending.stop())
  const send = () =>
    fetch(`${sending.address}/control/doors/${checkedDoor.lockerUid}/events`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{ "event": "forced" }',
    })
  const reasons = () => lines.map(({ logId, level, reason }) => [logId, level, reason])
  await send()
  const line = (reason: string) => ['door-event-not-accepted', 40, expect.stringContaining(reason)]
  const away = line(`connect ECONNREFUSED 127.0.0.1:${port}`)
  await expect.poll(reasons).toEqual([away])
  receiver.listen(port, '127.0.0.1')
  onTestFinished(() => void receiver.close())
  await expect.poll(() => statuses).toEqual([413])
  await send()
  const refused = line('401: A signature header is missing')
  await expect.poll(reasons).toEqual([away, refused, line('413: The body is longer')])
})
