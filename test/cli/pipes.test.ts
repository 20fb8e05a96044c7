import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { json, startStandIn, success } from '../support/servers/apiStandIn.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'

// More than a pipe and the reader's own buffer hold.
const shipments = Array.from({ length: 20_000 }, (_, index) => ({
  shipmentUid: `shipment-${index}`,
  stateCode: 'Stored',
}))

/** Milliseconds in which a process ends that does not wait for its reader. */
const maxWait = 1_000

function start(environment: NodeJS.ProcessEnv, ...words: readonly string[]) {
  const child = spawn(process.execPath, ['cli/lockerflow.ts', ...words], {
    cwd: root,
    env: { ...childEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** The environment of a service with many shipments. */
async function standIn(): Promise<NodeJS.ProcessEnv> {
  const service = await startStandIn()
  service.operation = json(200, { ...success, shipments })
  onTestFinished(() => service.stop())
  const { url } = service
  return {
    LOCKERFLOW_BASE_URL: url,
    LOCKERFLOW_AUTH_URL: url,
    LOCKERFLOW_CLIENT_ID: 'acme',
    LOCKERFLOW_CLIENT_SECRET: 'secret',
  }
}

/** Waits until the verb has written what fits into the pipe. */
async function untilFull(child: ChildProcess): Promise<void> {
  await once(child.stdout ?? child, 'readable')
  await Promise.race([once(child, 'exit'), setTimeout(maxWait)])
}

/** Reads the standard output of a verb late. */
async function readLate(child: ReturnType<typeof start>) {
  const ended = once(child, 'close')
  await untilFull(child)
  const [stdout, [code]] = await Promise.all([text(child.stdout), ended])
  return { code, value: JSON.parse(stdout) }
}

test('a slow reader gets the whole output of a verb that handles signals', async () => {
  const { code, value } = await readLate(start(await standIn(), 'call', 'GetShipments', '--json'))
  expect([code, value.shipments.length]).toEqual([0, shipments.length])
})

test('a slow reader gets the whole output of a verb that fails', async () => {
  const file = join(temporaryFolder(), 'many.yaml')
  const flows = Array.from({ length: 2_000 }, (_, index) => `name: flow${index}`)
  writeFileSync(file, flows.join('\n---\n'))
  const { code, value } = await readLate(start({}, 'flows', 'check', file, '--json'))
  expect(code).toBe(1)
  expect(value.faults.length).toBeGreaterThanOrEqual(flows.length)
})

test('a reader that ends early ends the verb', async () => {
  const child = start(await standIn(), 'call', 'GetShipments', '--json')
  const ended = once(child, 'close')
  child.stderr.resume()
  await untilFull(child)
  child.stdout.destroy()
  expect(await ended).toEqual([141, null])
})

test('a second Ctrl-C ends a verb whose reader does not read', async () => {
  const child = start(await standIn(), 'call', 'GetShipments', '--json')
  const ended = once(child, 'exit')
  await untilFull(child)
  child.kill('SIGINT')
  child.kill('SIGINT')
  const repeated = setInterval(() => child.kill('SIGINT'), 100)
  onTestFinished(() => clearInterval(repeated))
  expect(await ended).toEqual([130, null])
})
