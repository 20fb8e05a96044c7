import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Connection } from '@temporalio/client'
import { expect, onTestFinished, test } from 'vitest'
import { flowEndpoint } from '#client/nexus'
import { verifyCallback } from '#contract'
import { completeEnvironment } from '../../cli/sandbox/stackEnvironment.ts'
import { freePort } from '../../platform/ports.ts'
import { exampleOf } from '../support/command/examples.ts'
import { runCommandLine } from '../support/command/processLike.ts'
import { allEnded, descendants, useCommands, useFolder } from '../support/command/stackCommand.ts'
import { runVerb } from '../support/command/verbs.ts'
import { eventually } from '../support/eventually.ts'
import { startReceiver } from '../support/servers/callbackReceiver.ts'
import { hasIpv6 } from '../support/servers/ipv6.ts'
import { startCollector } from '../support/telemetry/collector.ts'
import { parcel } from '../support/world/apiWorld.ts'

const ip = '127.0.0.1'
const settings = [
  'LOCKERFLOW_SERVICE_PORT',
  'LOCKERFLOW_GATEWAY_PORT',
  'LOCKERFLOW_TEMPORAL_PORT',
  'LOCKERFLOW_TEMPORAL_UI_PORT',
  'LOCKERFLOW_FLOW_API_PORT',
] as const

const folder = useFolder()
const run = useCommands()

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

// One test, since each start of everything takes seconds.
test('dev listens on the ports of the settings, forwards callbacks, is alone in its folder, and stops with its children', async () => {
  const chosen = await Promise.all(settings.map(async name => [name, String(await freePort(ip))] as const))
  const ports = Object.fromEntries(chosen) as Record<(typeof settings)[number], string>
  const [receiver, forwarded, collector] = [await startReceiver(), await startReceiver(), await startCollector()]
  onTestFinished(async () => void (await Promise.all([receiver.stop(), forwarded.stop(), collector.stop()])))
  const traces = `${collector.address}/traces`
  const others = {
    LOCKERFLOW_NOTIFICATIONS_URL: receiver.url,
    LOCKERFLOW_NOTIFICATIONS_KEY: 'choose-32-random-characters-here',
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces,
    XDG_STATE_HOME: folder.path,
    LOCKERFLOW_FLOWS: 'flows/*.yaml',
    // A proxy of a company, which does not reach this machine.
    ...{ https_proxy: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9', NODE_USE_ENV_PROXY: '1' },
  }
  await runVerb({}, 'init', 'flow', 'keyReturn')
  const words = [...exampleOf('dev'), '--forward', forwarded.url]
  const { child, ended, prints, printed } = await run({ ...ports, ...others }, words)
  await prints('Everything is running.')
  expect(printed()).toContain(`Temporal     ${ip}:${ports.LOCKERFLOW_TEMPORAL_PORT}\n`)
  expect(printed()).toContain(`traces       ${traces}`)
  const service = `http://${ip}:${ports.LOCKERFLOW_SERVICE_PORT}`
  const flowApi = `http://${ip}:${ports.LOCKERFLOW_FLOW_API_PORT}`
  const overIpv6 = hasIpv6 ? [service, flowApi].map(address => `${address.replace(ip, '[::1]')}/health/ready`) : []
  for (const address of [
    ...overIpv6,
    `${service}/health/ready`,
    `http://${ip}:${ports.LOCKERFLOW_GATEWAY_PORT}/health/ready`,
    `http://${ip}:${ports.LOCKERFLOW_TEMPORAL_UI_PORT}`,
  ]) {
    expect((await fetch(address)).status).toBe(200)
  }

  expect(printed()).toContain(`flows        ${flowApi}/flows, reference at ${flowApi}/docs\n`)
  const post = await callOverHttp(flowApi, service)
  const started = await post('stock?wait=booked', { caseNo: 'S-1', request: { ...parcel } })
  expect(started).toMatchObject({ kind: 'Booked', caseNo: 'S-1' })
  expect(await post('S-1/cancel', { reason: 'over' })).toMatchObject({ kind: 'Cancelled' })
  const { body } = await eventually(() => receiver.received[0])
  expect(JSON.parse(body)).toMatchObject({ type: 'flow.ended', data: { caseNo: 'S-1', outcome: 'cancelled' } })

  // Verbs of the folder know the flows of the stack.
  const found = completeEnvironment({}, { ...ports, XDG_CONFIG_HOME: folder.path })
  const name = ['--firstName', 'Kim', '--lastName', 'Park']
  const account = ['--emailAddress', 'kim@example.com', ...name, '--pickUpPointUid', 'pup-1']
  const onboard = ['flow', 'start', 'onboardAccount', '--case', 'A-1', ...account, '--wait', 'end', '--timeout', '60s']
  const { values: onboarded } = await runVerb(found, ...onboard)
  const [{ result }] = onboarded as [{ readonly result: { readonly userUid: string } }]
  const start = ['flow', 'start', 'keyReturn', '--case', 'K-1', '--PupUid', 'pup-1', '--userUid', result.userUid]
  expect((await runVerb(found, ...start)).notes).toEqual([])
  const { values: examined } = await runVerb(found, 'doctor')
  expect(examined).toContainEqual({ part: 'your flows', state: 'ok', found: 'keyReturn' })

  // The printed key verifies what is forwarded.
  const key = (await readFile(join(folder.path, 'lockerflow', 'callback-key'), 'utf8')).trim()
  expect(printed()).toContain(`forwards to  ${forwarded.url}, CALLBACK_KEY=${key}`)
  const callback = await eventually(() => forwarded.received[0])
  expect(verifyCallback(callback.headers, callback.body, [key])).toMatchObject({
    ok: true,
    callback: { message: { referenceCaseNo: 'S-1' } },
  })

  const temporal = await Connection.connect({ address: `${ip}:${ports.LOCKERFLOW_TEMPORAL_PORT}` })
  const { endpoints } = await temporal.operatorService.listNexusEndpoints({ name: flowEndpoint })
  await temporal.close()
  const target = { worker: { namespace: 'default', taskQueue: 'lockerflow' } }
  expect(endpoints).toMatchObject([{ spec: { name: 'lockerflow', target } }])

  const file = join('.lockerflow', 'dev.json')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  const { pid, control } = JSON.parse(await readFile(file, 'utf8'))
  expect((await fetch(control.url, { method: 'POST', body: '{"action":"time"}' })).status).toBe(401)
  expect(await runCommandLine({}, ['dev', '--ports', 'auto'])).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining(`dev: a stack is already running in this folder, as process ${pid}.`),
  })

  // The command, Temporal's server and a guard for each.
  const family = descendants(child.pid)
  expect(family.length).toBeGreaterThanOrEqual(4)
  child.kill('SIGTERM')
  expect(await ended).toEqual({ code: 0, stderr: '' })
  await allEnded(family)
  expect((await readdir('.lockerflow')).includes('dev.json')).toBe(false)
})
