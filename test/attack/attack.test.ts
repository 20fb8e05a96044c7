import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPostgres } from '../support/setup/postgresServer.ts'
import { addressChecks } from './checks/addresses.ts'
import { bodyChecks, messageChecks } from './checks/bodies.ts'
import { credentialChecks } from './checks/credentials.ts'
import { hardwareChecks } from './checks/hardware.ts'
import { responseChecks } from './checks/responses.ts'
import { tenantChecks } from './checks/tenants.ts'
import { tokenChecks } from './checks/tokens.ts'
import { uploadChecks } from './checks/uploads.ts'
import type { Target } from './dispatcher.ts'
import { readTarget } from './givenTarget.ts'
import { createScene, expectSuccess, type Scene } from './scene.ts'
import { startTarget } from './startTargets.ts'

/** Starts the service of a mode: staging on the embedded store, production on PostgreSQL. */
async function start(mode: Target['mode']): Promise<{ target: Target; stop: () => Promise<void> }> {
  if (mode === 'staging') {
    const target = await startTarget(mode)
    return { target, stop: target.stop }
  }
  const server = await startPostgres()
  await server.run('create database attacked')
  const target = await startTarget(mode, server.urlOf('attacked'))
  return {
    target,
    async stop() {
      await target.stop()
      await server.remove()
    },
  }
}

/** The service that the command names, or one service of each mode. */
const given = readTarget(process.env)
const targets = given ? [given.mode] : (['staging', 'production'] as const)

describe.each(targets)('a %s service withstands', mode => {
  let scene: Scene
  let stop = async () => {}
  const current = () => scene

  beforeAll(async () => {
    const started = given ? { target: given, stop } : await start(mode)
    stop = started.stop
    scene = await createScene(started.target)
  })

  afterAll(async () => {
    await stop()
  })

  tokenChecks(current)
  tenantChecks(current)
  bodyChecks(current)
  messageChecks(current)
  responseChecks(current)
  addressChecks(current)
  uploadChecks(current)
  hardwareChecks(current)
  credentialChecks(current)

  test('all of this, and serves both tenants afterwards', async () => {
    expectSuccess(await scene.attacker.call('GetShipments', {}))
    expectSuccess(await scene.victim.call('GetShipments', {}))
  })
})

test('the checks know the specification only: they import nothing of the service', () => {
  const folder = new URL('./checks/', import.meta.url)
  const files = ['scene.ts', 'dispatcher.ts', 'http.ts', 'operations.ts'].map(name => new URL(`../${name}`, folder))
  const checks = readdirSync(folder).map(name => new URL(name, folder))
  for (const file of [...files, ...checks]) expect(readFileSync(file, 'utf8')).not.toMatch(/from '(#|\.\.\/\.\.\/)/)
})
