import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { freePort, isFree, requireFreePorts } from '../../cli/ports.ts'
import { newKey } from '../support/codec/keys.ts'
import { runCommandLine } from '../support/command/processLike.ts'

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
const codec = { LOCKERFLOW_CODEC_USERS: `robin:${secret}`, LOCKERFLOW_CODEC_KEYS: newKey('2026-11') }
const gateway = { LOCKERFLOW_CALLBACK_KEY: secret, LOCKERFLOW_GATEWAY_PORT: '0' }

test.each([
  ['service', 'LOCKERFLOW_SERVICE_PORT', { LOCKERFLOW_DATABASE_URL: 'file::memory:' }],
  ['gateway', 'LOCKERFLOW_GATEWAY_PORT', gateway],
  ['gateway', 'LOCKERFLOW_DOOR_PORT', gateway],
  ['codec', 'LOCKERFLOW_CODEC_PORT', codec],
  ['hardware', 'LOCKERFLOW_SIMULATOR_PORT', { LOCKERFLOW_HARDWARE_KEY: secret }],
] as const)('the process %s names the setting of a used port: %s', async (verb, setting, environment) => {
  const port = await usedPort()
  const { code, stdout, stderr } = await runCommandLine({ ...environment, [setting]: String(port) }, [verb])
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toContain(`${verb}: ${setting}: port ${port} on ${ip} is in use.`)
})
