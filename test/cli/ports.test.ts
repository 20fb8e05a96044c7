import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { freePort, isFree, requireFreePorts } from '../../platform/ports.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { newKey } from '../support/codec/keys.ts'
import { runCommandLine } from '../support/command/processLike.ts'
import { useFolder } from '../support/command/stackCommand.ts'

const ip = '127.0.0.1'

/** A port that a server of this test listens on. */
async function usedPort(): Promise<number> {
  const server = createServer().listen(0, ip)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

test('a free port can be listened on, and a used one cannot', async () => {
  expect(await isFree(ip, await freePort(ip))).toBe(true)
  expect(await isFree(ip, await usedPort())).toBe(false)
})

test('free ports are accepted, and 0 stands for any of them, even twice', async () => {
  const ports = [
    { setting: 'A', port: await freePort(ip) },
    { setting: 'B', port: 0 },
    { setting: 'C', port: 0 },
  ]
  await expect(requireFreePorts(ip, ports)).resolves.toBeUndefined()
})

test('each setting with a used port, and one with the port of another, has a line', async () => {
  const [first, second, free] = [await usedPort(), await usedPort(), await freePort(ip)]
  const ports = [
    { setting: 'A', port: first },
    { setting: 'B', port: free },
    { setting: 'C', port: second },
    { setting: 'D', port: free },
  ]
  const inUse = (setting: string, port: number) =>
    `${setting}: port ${port} on ${ip} is in use. Stop the process that listens there, or set ${setting} to another port.`
  await expect(requireFreePorts(ip, ports)).rejects.toThrow(
    [inUse('A', first), inUse('C', second), `D: must differ from B, which is ${free} too.`].join('\n'),
  )
})

const secret = 'a-secret-of-32-random-characters'
const codec = { LOCKERFLOW_CODEC_KEYS: newKey('2026-11') }
const gateway = { LOCKERFLOW_CALLBACK_KEY: secret, LOCKERFLOW_GATEWAY_PORT: '0' }

test.each([
  ['service', 'LOCKERFLOW_SERVICE_PORT', { LOCKERFLOW_DATABASE_URL: 'file::memory:' }],
  ['gateway', 'LOCKERFLOW_GATEWAY_PORT', gateway],
  ['gateway', 'LOCKERFLOW_FLOW_API_PORT', gateway],
  ['codec', 'LOCKERFLOW_CODEC_PORT', codec],
] as const)('the process %s names the setting of a used port: %s', async (verb, setting, environment) => {
  const port = await usedPort()
  const { code, stdout, stderr } = await runCommandLine({ ...environment, [setting]: String(port) }, [verb])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`${verb}: ${setting}: port ${port} on ${ip} is in use.`)
})

const parts = ['SERVICE', 'GATEWAY', 'TEMPORAL', 'TEMPORAL_UI', 'FLOW_API'].map(part => `LOCKERFLOW_${part}_PORT`)

describe('a verb that starts everything', () => {
  useFolder()

  test.each([
    ['dev', parts],
    ['demo', ['LOCKERFLOW_SERVICE_PORT']],
  ])('%s names every setting of a used port', async (verb, used) => {
    const free = await Promise.all(parts.map(async setting => [setting, String(await freePort(ip))] as const))
    const taken = await Promise.all(used.map(async setting => [setting, String(await usedPort())] as const))
    const { code, stderr } = await runCommandLine(Object.fromEntries([...free, ...taken]), [verb])
    const inUse = ([setting, port]: readonly [string, string]) =>
      `${setting}: port ${port} on ${ip} is in use. Stop the process that listens there, or set ${setting} to another port.`
    const [problems = ''] = stderr.slice(`${verb}: `.length).split('\n  ')
    expect(problems.split('\n').sort()).toEqual(taken.map(inUse).sort())
    expect(code).toBe(1)
  })

  test('names a port above 65535', async () => {
    expect(await runCommandLine({ LOCKERFLOW_TEMPORAL_UI_PORT: '70000' }, ['demo'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^demo: LOCKERFLOW_TEMPORAL_UI_PORT: .*65535/),
    })
  })
})

/** Runs the program of a process as a container does, until it ends. */
async function runMain(name: string, environment: Record<string, string>): Promise<{ code: number; stderr: string }> {
  const child = spawn(process.execPath, [`${name}/main.ts`], { env: { ...childEnvironment, ...environment } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  return { code, stderr }
}

const mains = [
  ['service', 'LOCKERFLOW_SERVICE_PORT', { LOCKERFLOW_DATABASE_URL: 'file::memory:' }],
  ['gateway', 'LOCKERFLOW_GATEWAY_PORT', { LOCKERFLOW_CALLBACK_KEY: secret }],
  ['worker', 'LOCKERFLOW_WORKER_PORT', {}],
  ['gateway/codecServer', 'LOCKERFLOW_CODEC_PORT', codec],
] as const

describe.each(mains)('the program %s/main.ts', (folder, setting, environment) => {
  const name = folder === 'gateway/codecServer' ? 'codec' : folder

  test('names the setting of a used port', async () => {
    const port = await usedPort()
    const { code, stderr } = await runMain(folder, { ...environment, [setting]: String(port) })
    expect(stderr).toContain(`${name}: ${setting}: port ${port} on ${ip} is in use.`)
    expect(code).toBe(1)
  })

  test('exits with 2 for a wrong setting, as the command does', async () => {
    const { code, stderr } = await runMain(folder, { ...environment, [setting]: 'eighty' })
    expect(stderr).toContain(`${name}: ${setting}: must be a port`)
    expect(code).toBe(2)
  })
})

test.each([
  ['service', 'LOCKERFLOW_SERVICE_PORT', { LOCKERFLOW_DATABASE_URL: 'file::memory:' }],
  ['gateway', 'LOCKERFLOW_GATEWAY_PORT', { LOCKERFLOW_CALLBACK_KEY: secret }],
  ['worker', 'LOCKERFLOW_WORKER_PORT', {}],
] as const)('the process %s names two of its settings that have one port', async (folder, setting, environment) => {
  const port = String(await freePort(ip))
  const both = { ...environment, [setting]: port, LOCKERFLOW_METRICS_PORT: port }
  const { code, stderr } = await runMain(folder, both)
  expect(stderr).toContain(`${setting}: must differ from LOCKERFLOW_METRICS_PORT, which is ${port} too.`)
  expect(code).toBe(1)
})

test.each([
  ['service', { LOCKERFLOW_DATABASE_URL: 'file::memory:' }],
  ['gateway', { LOCKERFLOW_CALLBACK_KEY: secret }],
  ['worker', { LOCKERFLOW_WORKER_PORT: '0' }],
  ['gateway/codecServer', { ...codec, LOCKERFLOW_CODEC_BEHIND_PROXY: 'true' }],
] as const)('the process %s names the setting of an address that this machine has not', async (folder, given) => {
  const setting = 'LOCKERFLOW_HOST'
  const environment = { LOCKERFLOW_ENVIRONMENT: 'staging', ...given }
  const elsewhere = await runMain(folder, { ...environment, [setting]: '203.0.113.1' })
  expect(elsewhere.stderr).toContain(`${setting}: must be an address of this machine, but 203.0.113.1 is not.`)
  expect(elsewhere.code).toBe(2)
  const unknown = await runMain(folder, { ...environment, [setting]: 'lockers.invalid' })
  expect(unknown.stderr).toContain(`${setting}: must be an address of this machine, but lockers.invalid is not known.`)
  expect(unknown.code).toBe(2)
})
