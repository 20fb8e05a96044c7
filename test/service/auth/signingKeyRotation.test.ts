import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { exportJWK, generateKeyPair, type JWK } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import type { Settings } from '#service'
import { freePort } from '../../../platform/ports.ts'
import { childEnvironment, serviceWithoutLimits } from '../../support/childEnvironment.ts'
import { type Sent, startCrowd } from '../../support/service/crowd.ts'
import { temporaryStore } from '../../support/service/temporaryStore.ts'
import { startTestService, type TestService } from '../../support/service/testService.ts'

const tokenLifetime = 600
const publicUrl = 'https://lockers.example'

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid }
}

const signedBy = async (kid: string) => ({ signingKey: await newKey(kid), publicUrl, tokenLifetime })

async function start(settings: Partial<Settings>): Promise<TestService> {
  const service = await startTestService(settings)
  onTestFinished(() => service.stop())
  return service
}

const statusOf = async (service: TestService, token: string) =>
  (await service.call('GetPickUpPoints', {}, { token })).status

test('a signing key that is replaced at a restart, twice, costs no client its token', async () => {
  const databaseUrl = await temporaryStore()
  let service = await start({ databaseUrl, ...(await signedBy('one')) })
  const { port } = service
  const crowd = startCrowd(port)
  await crowd.until(40, 'one')
  for (const kid of ['two', 'three']) {
    await crowd.duringRestart(async () => {
      await service.stop()
      service = await start({ databaseUrl, port, ...(await signedBy(kid)) })
    })
    const since = crowd.sent.length
    await Promise.all([crowd.until(40, kid, port, since), crowd.until(40, 'one', port, since)])
  }
  const tokens = await crowd.stop()

  expect(crowd.sent.filter(({ status }) => status === 401)).toEqual([])
  expect(crowd.sent.filter(({ status, meanwhile }) => status !== 200 && !meanwhile)).toEqual([])
  expect(new Set(crowd.sent.map(({ status }) => status))).toEqual(new Set([200, ...lostAtRestarts(crowd.sent)]))
  for (const token of tokens) expect(await statusOf(service, token)).toBe(200)
  // Until they expire, and no longer.
  service.advance((tokenLifetime + 1) * 1_000)
  for (const token of tokens) expect(await statusOf(service, token)).toBe(401)
})

/** The responses of a restart that tell the client to retry. */
function lostAtRestarts(sent: readonly Sent[]) {
  return new Set(sent.map(({ status }) => status).filter(status => status === undefined || status === 503))
}

test('with two processes during the change no request is lost at all', async () => {
  const databaseUrl = await temporaryStore()
  const older = await startProcess(databaseUrl, await newKey('older'))
  const crowd = startCrowd(older.port)
  await crowd.until(40, 'older')

  const newer = await startProcess(databaseUrl, await newKey('newer'))
  const since = crowd.sent.length
  crowd.state.live = [older.port, newer.port]
  for (const kid of ['older', 'newer']) {
    for (const { port } of [older, newer]) await crowd.until(20, kid, port, since)
  }
  crowd.state.live = [newer.port]
  await crowd.idle(older.port)
  await older.stop()
  const after = crowd.sent.length
  for (const kid of ['older', 'newer']) await crowd.until(40, kid, newer.port, after)
  await crowd.stop()
  expect(crowd.sent.filter(({ status }) => status !== 200)).toEqual([])
})

/** The service as a process of its own: two in one process would block each other on the store. */
async function startProcess(databaseUrl: string, signingKey: JWK) {
  const port = await freePort('127.0.0.1')
  const env = {
    ...childEnvironment,
    ...serviceWithoutLimits,
    LOCKERFLOW_DATABASE_URL: databaseUrl,
    LOCKERFLOW_SERVICE_PORT: String(port),
    LOCKERFLOW_PUBLIC_URL: publicUrl,
    LOCKERFLOW_SIGNING_KEY: JSON.stringify(signingKey),
  }
  const child = spawn(process.execPath, ['service/main.ts'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  await once(createInterface(child.stdout), 'line')
  return {
    port,
    async stop() {
      child.kill('SIGTERM')
      expect(await once(child, 'exit')).toEqual([0, null])
    },
  }
}
