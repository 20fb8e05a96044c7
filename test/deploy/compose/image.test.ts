import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { freePort } from '../../../platform/ports.ts'
import { newKey } from '../../support/codec/keys.ts'
import { readDockerfile } from '../../support/compose/dockerfile.ts'
import { filledExample, secretIn } from '../../support/compose/example.ts'
import { buildImage, type Image } from '../../support/compose/image.ts'
import { root } from '../../support/compose/resolved.ts'
import { eventually } from '../../support/eventually.ts'
import { measureSlowness } from '../../support/slowness.ts'

/** Milliseconds. An installation takes ten seconds with cached packages, and longer without. */
const minutes = 5 * 60_000

let folder: string
let image: Image
const running: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-image-'))
  image = await buildImage(folder)
}, minutes)

afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

/** Runs a file of the image with the image's variables and the given ones only. */
function start(file: string, given: Record<string, string>) {
  const child = spawn(process.execPath, [file], {
    cwd: image.folder,
    env: { ...image.environment, TEMPORAL_ADDRESS: inject('temporal').address, ...given },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => said.push(String(chunk)))
  const ended = once(child, 'exit').then(([code]) => ({ code, said: said.join('') }))
  return { child, said: () => said.join(''), ended }
}

/** Runs the health check of the container. */
async function healthy(port: number): Promise<boolean> {
  const asked = spawn(process.execPath, ['deploy/docker/health.mjs', `http://127.0.0.1:${port}/health/ready`], {
    cwd: image.folder,
    stdio: 'ignore',
  })
  const [code] = await once(asked, 'exit')
  return code === 0
}

test('the image runs as a user other than root, stops on SIGTERM, and changes its base in one step', () => {
  expect(image).toMatchObject({ user: 'node', stopSignal: 'SIGTERM', command: ['node', 'service/main.ts'] })
  expect(image.left).toEqual([expect.stringMatching(/^rm -rf \/usr\/local\/lib\/node_modules /)])
})

test('the image has the Node version of the tests', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const wanted = ['bookworm', 'bookworm-slim'].map(base => `node:${devDependencies.node}-${base}`)
  expect(readDockerfile().map(({ image: base }) => base.split('@')[0])).toEqual(wanted)
})

test('the image contains the run-time files, and nothing for development', async () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const isThere = (name: string) => existsSync(join(image.folder, 'node_modules', name))
  expect(Object.keys(dependencies).filter(name => !isThere(name))).toEqual([])
  // The packages' own dependencies are allowed too.
  const needed = ['@opentelemetry/sdk-metrics', '@types/node', 'protobufjs']
  expect(
    Object.keys(devDependencies)
      .filter(isThere)
      .filter(name => !needed.includes(name)),
  ).toEqual([])
  expect(await readdir(image.folder)).not.toEqual(expect.arrayContaining(['test', 'docs', '.git', '.env']))
  // The commands of operators, which docker compose exec runs.
  expect(existsSync(join(image.folder, 'cli/clients/actions.ts'))).toBe(true)
  expect(existsSync(join(image.folder, 'cli/lockerflow.ts'))).toBe(true)
  expect(existsSync(image.environment.LOCKERFLOW_WORKFLOW_BUNDLE ?? '')).toBe(true)
})

test('service, gateway and worker start from the image, become healthy, and stop within ten seconds', async () => {
  const ports = {
    service: await freePort('127.0.0.1'),
    gateway: await freePort('127.0.0.1'),
    worker: await freePort('127.0.0.1'),
  }
  const secrets = filledExample(join(folder, 'secrets'))
  const namespace = `image-${randomUUID()}`
  const address = `http://127.0.0.1:${ports.service}`
  const shared = {
    TEMPORAL_NAMESPACE: namespace,
    LOCKERFLOW_ENVIRONMENT: 'staging',
    LOCKERFLOW_BASE_URL: address,
    LOCKERFLOW_AUTH_URL: address,
    LOCKERFLOW_CLIENT_ID: 'acme',
    LOCKERFLOW_CLIENT_SECRET: secretIn(secrets, 'client-secret'),
  }
  const prepared = await start('worker/prepare.ts', { TEMPORAL_NAMESPACE: namespace, LOCKERFLOW_RETENTION: '2d' }).ended
  expect(prepared).toEqual({ code: 0, said: expect.stringContaining(`namespace ${namespace} created`) })

  const service = start('service/main.ts', {
    LOCKERFLOW_DATABASE_URL: `file:${join(folder, 'service.db')}`,
    LOCKERFLOW_SERVICE_PORT: String(ports.service),
    LOCKERFLOW_TOPOLOGY: join(secrets.LOCKERFLOW_SECRETS ?? '', 'topology.yaml'),
  })
  const gateway = start('gateway/main.ts', {
    ...shared,
    LOCKERFLOW_GATEWAY_PORT: String(ports.gateway),
    LOCKERFLOW_CALLBACK_KEY: secretIn(secrets, 'callback-key'),
  })
  // In production a worker creates no namespace, so it depends on the preparation.
  const worker = start('worker/main.ts', {
    ...shared,
    LOCKERFLOW_ENVIRONMENT: 'production',
    LOCKERFLOW_CODEC_KEYS: newKey('2026-12'),
    LOCKERFLOW_WORKER_PORT: String(ports.worker),
  })
  for (const port of Object.values(ports)) await eventually(() => healthy(port))

  const slowness = measureSlowness()
  const told = performance.now()
  for (const { child } of [worker, gateway, service]) child.kill('SIGTERM')
  const ends = await Promise.all([worker.ended, gateway.ended, service.ended])
  expect(ends.map(({ code, said }) => ({ code, said }))).toEqual(ends.map(({ said }) => ({ code: 0, said })))
  expect((performance.now() - told) / slowness()).toBeLessThan(10_000)
})

test('preparing twice has the effect of once', async () => {
  const namespace = `image-${randomUUID()}`
  const both = await Promise.all(
    ['', ''].map(() => start('worker/prepare.ts', { TEMPORAL_NAMESPACE: namespace }).ended),
  )
  expect(both).toEqual(both.map(({ said }) => ({ code: 0, said })))
  const third = await start('worker/prepare.ts', { TEMPORAL_NAMESPACE: namespace }).ended
  expect(third).toEqual({ code: 0, said: expect.stringContaining(`namespace ${namespace} exists`) })
})

test('a worker without its bundle reports that, and where to read more', async () => {
  const { code, said } = await start('worker/main.ts', { LOCKERFLOW_WORKFLOW_BUNDLE: 'gone.js' }).ended
  expect({ code, lines: said.trim().split('\n') }).toEqual({
    code: 2,
    lines: [
      expect.stringMatching(
        /^worker: LOCKERFLOW_WORKFLOW_BUNDLE: must be an existing file, but gone\.js is not\. Example: /,
      ),
      'See docs/reference/errors.md#invalidsettings.',
    ],
  })
})
