import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { Connection } from '@temporalio/client'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createApi } from '#api'
import { verifyCallback } from '#contract'
import { flowEndpoint } from '#nexus'
import { freePort } from '../../cli/ports.ts'
import { exampleOf } from '../support/command/examples.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/servers/callbackReceiver.ts'
import { parcel } from '../support/world/apiWorld.ts'

const ip = '127.0.0.1'
const program = join(import.meta.dirname, '..', '..', 'cli', 'lockerflow.ts')
const dispatcher = join(import.meta.dirname, '..', '..', 'cli', 'run.mjs')
const portSettings = [
  'LOCKERFLOW_SERVICE_PORT',
  'LOCKERFLOW_GATEWAY_PORT',
  'LOCKERFLOW_TEMPORAL_PORT',
  'LOCKERFLOW_TEMPORAL_UI_PORT',
  'LOCKERFLOW_FLOW_API_PORT',
] as const
const codecSetting = 'LOCKERFLOW_CODEC_PORT'

let folder: string
const started: ChildProcess[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
})

afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true, maxRetries: 10 })
})

/** Runs a command in an empty folder, with the given settings only. */
function run(settings: Record<string, string>, words: readonly string[]) {
  const others = Object.entries(process.env).filter(([name]) => !/^(LOCKERFLOW|TEMPORAL)_/.test(name))
  const child = spawn(process.execPath, [dispatcher, ...words], {
    cwd: folder,
    env: { ...Object.fromEntries(others), TMPDIR: folder, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let printed = ''
  const awaited = new Map<string, () => void>()
  child.stdout.on('data', chunk => {
    printed += String(chunk)
    for (const [line, resolve] of awaited) if (printed.includes(line)) resolve()
  })
  const ended = Promise.all([text(child.stderr), once(child, 'exit')]).then(([stderr, [code]]) => ({ code, stderr }))
  // Not polled: a demo ends within a second of its first line.
  const prints = (line: string) =>
    new Promise<void>((resolve, reject) => {
      if (printed.includes(line)) resolve()
      awaited.set(line, resolve)
      child.once('exit', () => reject(new Error(`${words[0]} ended without printing "${line}"`)))
    })
  return { child, ended, prints, printed: () => printed }
}

async function chosenPorts(): Promise<Record<(typeof portSettings)[number], string>> {
  const [service, gateway, temporal, ui, flowApi] = await Promise.all(portSettings.map(() => freePort(ip)))
  return {
    LOCKERFLOW_SERVICE_PORT: String(service),
    LOCKERFLOW_GATEWAY_PORT: String(gateway),
    LOCKERFLOW_TEMPORAL_PORT: String(temporal),
    LOCKERFLOW_TEMPORAL_UI_PORT: String(ui),
    LOCKERFLOW_FLOW_API_PORT: String(flowApi),
  }
}

/** The ids of all processes below one. */
function descendants(pid: number | undefined): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = rows.map(row => row.trim().split(/\s+/).map(Number))
  const below = (parent: number | undefined): number[] =>
    pairs.filter(([, ppid]) => ppid === parent).flatMap(([child = 0]) => [child, ...below(child)])
  return below(pid)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

/** The processes of a running stack below the dispatcher: the command, Temporal's server and a guard for each. */
function familyOf(child: ChildProcess): number[] {
  const family = descendants(child.pid)
  expect(family.length).toBeGreaterThanOrEqual(4)
  return family
}

/** Signs in and calls the flow API as the page about flows over HTTP does. */
async function callOverHttp(flowApi: string, service: string) {
  const form = { grant_type: 'client_credentials', client_id: 'acme', client_secret: 'acme-secret' }
  const body = new URLSearchParams({ ...form, scope: 'integration_api' })
  const signedIn = await fetch(`${service}/connect/token`, { method: 'POST', body })
  const { access_token } = (await signedIn.json()) as { readonly access_token: string }
  return async (path: string, body: object): Promise<unknown> => {
    const response = await eventually(async () => {
      const attempt = await fetch(`${flowApi}/flows/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      // The start of the worker held up the process.
      return attempt.status === 503 ? undefined : attempt
    })
    return response.json()
  }
}

const allEnded = (family: readonly number[]) => eventually(() => !family.some(isAlive))

test('dev listens on the ports of the settings, and SIGTERM stops it with its children', async () => {
  const ports = { ...(await chosenPorts()), LOCKERFLOW_SIMULATOR_PORT: String(await freePort(ip)) }
  const receiver = await startReceiver()
  onTestFinished(receiver.stop)
  const notifications = {
    LOCKERFLOW_NOTIFICATIONS_URL: receiver.url,
    LOCKERFLOW_NOTIFICATIONS_KEY: 'choose-32-random-characters-here',
  }
  // A proxy of a company, which does not reach this machine.
  const proxies = { https_proxy: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NODE_USE_ENV_PROXY: '1' }
  const { child, ended, prints, printed } = run({ ...ports, ...notifications, ...proxies }, exampleOf('dev'))
  await prints('Everything is running.')
  expect(printed()).toContain(`Temporal     ${ip}:${ports.LOCKERFLOW_TEMPORAL_PORT}\n`)
  for (const address of [
    `http://${ip}:${ports.LOCKERFLOW_SERVICE_PORT}/health/ready`,
    `http://${ip}:${ports.LOCKERFLOW_GATEWAY_PORT}/health/ready`,
    `http://${ip}:${ports.LOCKERFLOW_SIMULATOR_PORT}/control/doors`,
    `http://${ip}:${ports.LOCKERFLOW_TEMPORAL_UI_PORT}`,
  ]) {
    expect((await fetch(address)).status).toBe(200)
  }
  const flowApi = `http://${ip}:${ports.LOCKERFLOW_FLOW_API_PORT}`
  expect(printed()).toContain(`flows        ${flowApi}/flows, reference at ${flowApi}/docs\n`)
  const post = await callOverHttp(flowApi, `http://${ip}:${ports.LOCKERFLOW_SERVICE_PORT}`)
  const started = await post('stock?wait=booked', { caseNo: 'S-1', request: { ...parcel } })
  expect(started).toMatchObject({ kind: 'Booked', caseNo: 'S-1' })
  expect(await post('S-1/cancel', { reason: 'over' })).toMatchObject({ kind: 'Cancelled' })
  const { body } = await eventually(() => receiver.received[0])
  expect(JSON.parse(body)).toMatchObject({ type: 'flow.ended', data: { caseNo: 'S-1', outcome: 'cancelled' } })
  const temporal = await Connection.connect({ address: `${ip}:${ports.LOCKERFLOW_TEMPORAL_PORT}` })
  const { endpoints } = await temporal.operatorService.listNexusEndpoints({ name: flowEndpoint })
  await temporal.close()
  const target = { worker: { namespace: 'default', taskQueue: 'lockerflow' } }
  expect(endpoints).toMatchObject([{ spec: { name: 'lockerflow', target } }])
  const family = familyOf(child)
  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, stderr: '' })
  await allEnded(family)
})

test('a second dev in the same folder is refused, and the first one is found until it ends, also by a kill', async () => {
  const ready = 'Everything is running.'
  const first = run({}, ['dev', '--ports', 'auto'])
  await first.prints(ready)
  const file = join(folder, '.lockerflow', 'dev.json')
  const stack = await readFile(file, 'utf8')
  const second = run({}, ['dev', '--ports', 'auto'])
  expect(await second.ended).toEqual({
    code: 1,
    stderr: expect.stringContaining(
      `dev: a stack is already running in this folder, as process ${JSON.parse(stack).pid}.`,
    ),
  })
  expect(second.printed()).toBe('')
  expect(await readFile(file, 'utf8')).toBe(stack)
  process.kill(JSON.parse(stack).pid, 'SIGKILL')
  await first.ended
  // Another process may have got the number meanwhile.
  await writeFile(file, JSON.stringify({ ...JSON.parse(stack), pid: process.pid }))
  const third = run({}, ['dev', '--ports', 'auto'])
  await third.prints(ready)
  third.child.kill('SIGTERM')
  expect((await third.ended).code).toBe(0)
})

test('dev on free ports forwards callbacks, moves its clock, and goes back to a snapshot with its running flows', async () => {
  const receiver = await startReceiver()
  onTestFinished(receiver.stop)
  const words = ['dev', '--ports', 'auto', '--forward', receiver.url, '--json']
  const { child, ended, prints, printed } = run({ XDG_STATE_HOME: folder }, words)
  await prints('"credentials"')
  const lines = printed()
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  const key = (await readFile(join(folder, 'lockerflow', 'callback-key'), 'utf8')).trim()
  expect(lines.find(({ forward }) => forward)).toMatchObject({
    forward: { url: receiver.url, key },
    credentials: { clientId: 'acme' },
  })
  const file = join(folder, '.lockerflow', 'dev.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { baseUrl, clientId, clientSecret, control } = JSON.parse(await readFile(file, 'utf8'))
  expect((await fetch(control.url, { method: 'POST', body: '{"action":"time"}' })).status).toBe(401)
  const api = createApi({ baseUrl, authUrl: baseUrl, clientId, clientSecret })
  onTestFinished(api.close)
  const verb = (...words: readonly string[]) => runInFolder(...words, '--json')
  const stateOf = async () => {
    const { items } = await api.call('GetShipments', { referenceCaseNo: 'SEED-INTAKE' })
    return items[0]?.stateCode
  }

  const { users } = await verb('seed')
  const seeded = await eventually(() =>
    receiver.received.find(({ message }) => message.referenceCaseNo === 'SEED-INTAKE'),
  )
  // The key of the first line verifies what is forwarded.
  expect(verifyCallback(seeded.headers, seeded.body, [key])).toMatchObject({
    ok: true,
    callback: { message: { referenceCaseNo: 'SEED-INTAKE' } },
  })
  expect(await verb(...exampleOf('flow start'))).toMatchObject({ kind: 'Booked' })
  expect(await verb(...exampleOf('snapshot'))).toEqual({ snapshot: 'before-the-return' })
  expect(await verb('flow', 'cancel', 'I1701-1982', '--reason', 'over')).toMatchObject({ kind: 'Cancelled' })
  expect(await verb('simulate', 'SEED-INTAKE')).toMatchObject({ after: 'ReadyForPickup' })
  const { ahead, now } = await verb(...exampleOf('clock advance'))
  expect(ahead).toBe(49 * 3_600_000)
  expect(Date.parse(now)).toBeGreaterThan(Date.now() + 48 * 3_600_000)
  expect(await stateOf()).toBe('ReadyForPickup')
  expect(await verb(...exampleOf('restore'))).toEqual({ restored: 'before-the-return' })
  expect(await stateOf()).toBe('ReadyForDropOff')
  expect(await verb('simulate', 'I1701-1982')).toMatchObject({ after: 'WaitForReceiver' })
  expect(await verb('flow', 'wait', 'I1701-1982')).toMatchObject({ result: { outcome: 'completed' } })
  // Its user enters a wrong code first.
  const fields = [
    '--PupUid',
    'pup-1',
    '--ToUserUid',
    users.Robin,
    '--AllowLargerLockers',
    '--AllowOverflowLockers',
    'false',
  ]
  const size = ['--Dimension.width', '10', '--Dimension.height', '10', '--Dimension.length', '10']
  const played = await verb('flow', 'start', 'issue', '--case', 'wrong-code-1', ...fields, ...size, '--wait', 'end')
  expect(played).toMatchObject({ kind: 'Ended', result: { outcome: 'completed' } })
  const { errorCode } = await verb('requests', 'tail', '--no-follow', '--status', 'InvalidAccessCode')
  expect(errorCode).toBe('InvalidAccessCode')
  expect(await verb('clock', 'advance')).toMatchObject({ ahead: 0 })
  expect(await verb('snapshot', '--list')).toEqual({ snapshots: ['before-the-return'] })

  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, stderr: '' })
  expect((await readdir(join(folder, '.lockerflow'))).includes('dev.json')).toBe(false)
  expect(await verb('restore', 'none').catch(error => JSON.parse(error.stderr))).toMatchObject({
    error: {
      message: 'name: must be the name of a snapshot, got "none". Known snapshots: before-the-return.',
      exitCode: 2,
    },
  })
  expect(await verb('clock', 'advance').catch(error => error.code)).toBe(3)
})

/** Runs a verb in the folder of the test to its end, and returns its answer. */
async function runInFolder(...words: readonly string[]) {
  const others = Object.entries(process.env).filter(([name]) => !/^(LOCKERFLOW|TEMPORAL)_/.test(name))
  const options = { cwd: folder, env: { ...Object.fromEntries(others), XDG_STATE_HOME: folder } }
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], options)
  return JSON.parse(stdout)
}

test('dev that encrypts shows the Web UI its codec server, lends verbs its keys, prints where traces go, and leaves no child behind when it is killed', async () => {
  const ports = { ...(await chosenPorts()), [codecSetting]: String(await freePort(ip)) }
  const traces = 'http://127.0.0.1:9/v1/traces'
  const settings = { ...ports, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces }
  const { child, prints } = run(settings, ['dev', '--encrypt'])
  await prints(`traces       ${traces}`)
  const codec = `http://${ip}:${ports[codecSetting]}`
  await prints(`codec        ${codec}, for temporal --namespace default --codec-endpoint`)
  const ui = `http://${ip}:${ports.LOCKERFLOW_TEMPORAL_UI_PORT}`
  expect(await (await fetch(`${ui}/api/v1/settings`)).json()).toMatchObject({ Codec: { Endpoint: codec } })
  // A browser asks first, from either name of the loopback address.
  for (const origin of [ui, ui.replace(ip, 'localhost')]) {
    const asked = {
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,x-namespace',
    }
    const preflight = await fetch(`${codec}/decode`, { method: 'OPTIONS', headers: { origin, ...asked } })
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin])
    const response = await fetch(`${codec}/decode`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-namespace': 'default', origin },
      body: JSON.stringify({ payloads: [] }),
    })
    expect(response.headers.get('access-control-allow-origin')).toBe(origin)
    expect(await response.json()).toEqual({ payloads: [] })
  }
  expect((await stat(join(folder, '.lockerflow', 'codec.keys'))).mode & 0o777).toBe(0o600)
  const start = exampleOf('flow start', { 'I1701-1982': 'E-1' })
  expect(await runInFolder(...start, '--json')).toMatchObject({ kind: 'Booked' })
  expect(await runInFolder('flow', 'status', 'E-1', '--json')).toMatchObject({ stage: 'dropOff' })
  const family = familyOf(child)
  child.kill('SIGKILL')
  await allEnded(family)
})

test.each([
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const)('during its start, dev ends on %s with its children', async (signal, code) => {
  const { child, ended, prints } = run(await chosenPorts(), ['dev'])
  await prints('starting the gateway')
  const family = familyOf(child)
  child.kill(signal)
  expect(await ended).toEqual({
    code,
    stderr: `dev: interrupted by ${signal}\n  Run the command again.\n  (Interrupted)\n`,
  })
  await allEnded(family)
})

test('dev says that it uses the Temporal of TEMPORAL_ADDRESS, and starts none', async () => {
  const { prints, printed } = run({ ...(await chosenPorts()), TEMPORAL_ADDRESS: `${ip}:1` }, ['dev'])
  await prints('starting the service')
  expect(printed().split('\n')[0]).toBe(`using Temporal at ${ip}:1, which TEMPORAL_ADDRESS names`)
})

/** Listens on the ports of these settings while a command runs, and expects an error with a line for each of them. */
async function expectPortsInUse(command: 'dev' | 'demo', settings: readonly (typeof portSettings)[number][]) {
  const ports = await chosenPorts()
  const listeners = settings.map(setting => createServer().listen(Number(ports[setting]), ip))
  await Promise.all(listeners.map(listener => once(listener, 'listening')))
  try {
    const { code, stderr } = await run(ports, [command]).ended
    const lines = settings.map(
      setting =>
        `${setting}: port ${ports[setting]} on ${ip} is in use. Stop the process that listens there, or set ${setting} to another port.`,
    )
    expect(stderr.startsWith(`${command}: `)).toBe(true)
    const [problems = ''] = stderr.slice(`${command}: `.length).split('\n  ')
    expect(problems.split('\n').sort()).toEqual(lines.sort())
    expect(code).toBe(1)
  } finally {
    for (const listener of listeners) listener.close()
  }
}

test('dev names every setting whose port is in use', () => expectPortsInUse('dev', portSettings))

test('demo names the one setting whose port is in use', () => expectPortsInUse('demo', ['LOCKERFLOW_SERVICE_PORT']))

test('demo ends on SIGTERM with its children, and removes its folder', async () => {
  const { child, ended, prints } = run({}, exampleOf('demo'))
  await prints('starting the worker')
  const family = familyOf(child)
  await prints('starts stock')
  child.kill('SIGTERM')
  expect(await ended).toEqual({
    code: 143,
    stderr: 'demo: interrupted by SIGTERM\n  Run the command again.\n  (Interrupted)\n',
  })
  await allEnded(family)
  expect((await readdir(folder)).filter(name => name.startsWith('lockerflow-demo-'))).toEqual([])
})

test('a port above 65535 is named', async () => {
  expect(await run({ LOCKERFLOW_TEMPORAL_UI_PORT: '70000' }, ['demo']).ended).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^demo: LOCKERFLOW_TEMPORAL_UI_PORT: .*65535/),
  })
})
