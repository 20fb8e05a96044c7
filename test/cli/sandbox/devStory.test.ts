import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { createApi } from '#contract/client'
import { readDevFile } from '../../../cli/sandbox/devFile.ts'
import { completeEnvironment } from '../../../cli/sandbox/stackEnvironment.ts'
import { exampleOf } from '../../support/command/examples.ts'
import { runCommandLine } from '../../support/command/processLike.ts'
import { allEnded, cleanEnvironment, descendants, useCommands, useFolder } from '../../support/command/stackCommand.ts'
import { startVerb } from '../../support/command/verbs.ts'
import { eventually } from '../../support/eventually.ts'
import { bundleFile } from '../../support/world/bundle.ts'

const folder = useFolder()
const run = useCommands()
let own: NodeJS.ProcessEnv

beforeEach(async () => {
  own = process.env
  // Every part reads its settings there.
  const settings = { TMPDIR: folder.path, XDG_STATE_HOME: folder.path, XDG_CONFIG_HOME: folder.path }
  process.env = cleanEnvironment({ ...settings, LOCKERFLOW_WORKFLOW_BUNDLE: await bundleFile() })
})
afterEach(() => {
  process.env = own
})

/** Runs a verb in the folder of the stack, and returns its answer. */
async function verb(...words: readonly string[]) {
  // A copy: the stack in this process would take the additions for its own settings.
  const environment = completeEnvironment({}, { ...process.env })
  const { code, stdout, stderr } = await runCommandLine(environment, [...words, '--json'])
  return code === 0 ? JSON.parse(stdout) : { code, ...JSON.parse(stderr) }
}

const issue = [
  ...['--PupUid', 'pup-1', '--AllowLargerLockers', '--AllowOverflowLockers', 'false'],
  ...['--Dimension.width', '10', '--Dimension.height', '10', '--Dimension.length', '10'],
]

// One test, since each start of everything takes seconds.
test('dev that encrypts moves its clock, and goes back to a snapshot with its running flows', async () => {
  const dev = startVerb(process.env, 'dev', '--ports', 'auto', '--encrypt')
  const addresses = await eventually(() => dev.values.find(value => JSON.stringify(value).includes('credentials')))
  const { codecAddress: codec, uiUrl: ui } = addresses as { codecAddress: string; uiUrl: string }
  expect(dev.lines.join('\n')).toContain(`codec        ${codec}, for temporal --namespace default --codec-endpoint`)
  expect(await (await fetch(`${ui}/api/v1/settings`)).json()).toMatchObject({ Codec: { Endpoint: codec } })
  // A browser asks first, from either name of the loopback address.
  for (const origin of [ui, ui.replace('127.0.0.1', 'localhost')]) {
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
  expect((await stat(join('.lockerflow', 'codec.keys'))).mode & 0o777).toBe(0o600)

  const { baseUrl, clientId = '', clientSecret = '' } = readDevFile() ?? {}
  const api = createApi({ baseUrl: baseUrl ?? '', authUrl: baseUrl ?? '', clientId, clientSecret })
  onTestFinished(api.close)
  const stateOf = async () => {
    const { items } = await api.call('GetShipments', { referenceCaseNo: 'SEED-INTAKE' })
    return items[0]?.stateCode
  }
  const { users } = await verb('seed')
  expect(await verb(...exampleOf('flow start'))).toMatchObject({ kind: 'Booked' })
  expect(await verb('flow', 'status', 'I1701-1982')).toMatchObject({ stage: 'dropOff' })
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
  const played = ['flow', 'start', 'issue', '--case', 'wrong-code-1', ...issue, '--ToUserUid', users.Robin]
  expect(await verb(...played, '--wait', 'end')).toMatchObject({ kind: 'Ended', result: { outcome: 'completed' } })
  const { errorCode } = await verb('requests', 'tail', '--no-follow', '--status', 'InvalidAccessCode')
  expect(errorCode).toBe('InvalidAccessCode')
  expect(await verb('clock', 'advance')).toMatchObject({ ahead: 0 })
  expect(await verb('snapshot', '--list')).toEqual({ snapshots: ['before-the-return'] })

  dev.interrupt()
  expect(await dev.ended).toBeUndefined()
  expect(await verb('restore', 'none')).toMatchObject({
    error: { message: 'name: must be the name of a snapshot, got "none". Known snapshots: before-the-return.' },
  })
  expect(await verb('clock', 'advance')).toMatchObject({ code: 3 })
})

test('during its start, dev ends on SIGHUP with its children', async () => {
  const { child, ended, prints } = await run({}, ['dev', '--ports', 'auto'])
  await prints('starting the gateway')
  const family = descendants(child.pid)
  expect(family.length).toBeGreaterThanOrEqual(4)
  child.kill('SIGHUP')
  const stderr = 'dev: interrupted by SIGHUP\n  Run the command again.\n  (Interrupted)\n'
  expect(await ended).toEqual({ code: 129, stderr })
  await allEnded(family)
})

test('demo that is interrupted in its scenes ends its children, and removes its folder', async () => {
  const others = descendants(process.pid)
  const demo = startVerb(process.env, ...exampleOf('demo'))
  await eventually(() => demo.lines.some(line => line.includes('starts stock')))
  const children = descendants(process.pid).filter(pid => !others.includes(pid))
  expect(children.length).toBeGreaterThan(0)
  demo.interrupt(new Error('interrupted by SIGTERM'))
  expect((await demo.ended)?.message).toBe('interrupted by SIGTERM')
  await allEnded(children)
  expect((await readdir(folder.path)).filter(name => name.startsWith('lockerflow-stack-'))).toEqual([])
})
