import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { toWorkflowId } from '#flows'
import type { RunningWorker } from '#worker'
import { childEnvironment } from '../../support/childEnvironment.ts'
import { exampleOf } from '../../support/command/examples.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import { type ChangedBundle, incompatibleBundle } from '../../support/flows/changedBundle.ts'
import { startFor, type Underway, walk } from '../../support/flows/underway.ts'
import { bundle, bundleFile } from '../../support/world/bundle.ts'

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'

let builds: Builds
let asIs: ChangedBundle
let incompatible: ChangedBundle
let first: RunningWorker
let lent: Underway
let issued: Underway

beforeAll(async () => {
  builds = await createBuilds()
  asIs = await bundle()
  incompatible = await incompatibleBundle()
  // Workers as they are before Worker Versioning.
  await builds.world.restartWorker()
  lent = await startFor(builds.world, loan)
  await walk(builds.world, lent, 'return')
  await builds.world.stopWorker()
})

afterAll(() => builds.stop())

async function current(): Promise<string | undefined> {
  const { previous } = await builds.promote('first', asIs, { onlyCheck: true })
  return previous?.buildId
}

/** Asks again until visibility and pollers have come to what was done a moment ago. */
function soon<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  return vi.waitFor(ask, { timeout: 10_000, interval: 200 })
}

// One story: each test goes on from the one before.
describe('a promotion', () => {
  test('is refused for a build without workers', async () => {
    const { objections } = await builds.promote('first', asIs)
    expect(objections).toEqual([{ reason: expect.stringMatching(/^no worker of the build .*:first polls/), cases: [] }])
    expect(await current()).toBeUndefined()
  })

  test('waits for workers as long as it may, and until it is stopped', async () => {
    const none = [{ reason: expect.stringMatching(/^no worker of the build/) }]
    expect(await builds.promote('first', asIs, { wait: 700, onlyCheck: true })).toMatchObject({ objections: none })
    const signal = AbortSignal.abort()
    expect(await builds.promote('first', asIs, { wait: 600_000, signal })).toMatchObject({ objections: none })
    const promotion = builds.promote('first', asIs, { wait: 600_000, onlyCheck: true })
    first = await builds.start('first', asIs)
    expect(await promotion).toMatchObject({ objections: [], moving: 1, replayed: 1 })
  })

  test('moves flows that have no build yet, and is refused when they do not replay', async () => {
    await soon(async () => {
      const { moving, objections } = await builds.promote('first', incompatible)
      expect(moving).toBe(1)
      expect(objections).toEqual([
        {
          reason: expect.stringMatching(/^flows that would move to the build .*:first do not replay with it$/),
          cases: [expect.stringMatching(new RegExp(`^${lent.caseNo}: .*nondeterminism`, 'i'))],
        },
      ])
    })
    expect(await current()).toBeUndefined()
    expect(await builds.promote('first', asIs)).toMatchObject({ objections: [], moving: 1, replayed: 1 })
    await soon(async () => expect(await current()).toBe('first'))
  })

  test('is refused for a build that does not replay the flows of the previous one, which stays current', async () => {
    issued = await startFor(builds.world, 'issue')
    await walk(builds.world, issued, 'pickUp')
    await builds.start('second', incompatible)
    const { objections } = await soon(async () => {
      const promotion = await builds.promote('second', incompatible)
      // A build whose workers Temporal does not know yet has another objection.
      expect(promotion.objections).toMatchObject([{ reason: expect.stringContaining('do not replay with it') }])
      return promotion
    })
    // The issue is pinned, so that it does not matter.
    expect(objections[0]?.cases).toEqual([expect.stringContaining(lent.caseNo)])
    await soon(async () => expect(await current()).toBe('first'))
    expect(await builds.world.flows.status(lent.caseNo)).toMatchObject({ status: { stage: 'return' } })
  })

  test('is refused while a flow is pinned to a build whose workers are gone', async () => {
    await builds.start('third', asIs)
    await first.stop()
    const { objections, staying } = await soon(async () => {
      const promotion = await builds.promote('third', asIs)
      expect(promotion.objections).toHaveLength(1)
      return promotion
    })
    const firstName = `${builds.deploymentName}:first`
    expect(objections).toEqual([
      { reason: `no worker answers for the flows that are pinned to the build ${firstName}`, cases: [issued.caseNo] },
    ])
    expect(staying).toEqual(new Map([[firstName, 1]]))
    await soon(async () => expect(await current()).toBe('first'))
  })

  test('succeeds once they are back', async () => {
    first = await builds.start('first', asIs)
    const { previous } = await soon(async () => {
      const promotion = await builds.promote('third', asIs)
      expect(promotion.objections).toEqual([])
      return promotion
    })
    expect(previous?.buildId).toBe('first')
    await soon(async () => expect(await current()).toBe('third'))
  })

  test('replays the given number of flows', async () => {
    const others = [await startFor(builds.world, loan), await startFor(builds.world, loan)]
    await soon(async () => {
      const checked = await builds.promote('second', incompatible, { sample: 2, onlyCheck: true })
      expect(checked).toMatchObject({ moving: 3, replayed: 2 })
    })
    for (const { caseNo } of others) await builds.world.flows.cancel(caseNo, 'over')
    await soon(async () => {
      expect((await builds.promote('second', incompatible, { onlyCheck: true })).moving).toBe(1)
    })
  })
})

describe('the command', () => {
  let folder: string
  const command = fileURLToPath(new URL('../../../cli/lockerflow.ts', import.meta.url))

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lockerflow-promote-'))
  })

  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  async function run(args: readonly string[], { code: text }: ChangedBundle, more: Record<string, string> = {}) {
    const file = join(folder, 'workflows.js')
    writeFileSync(file, text)
    const { address, namespace } = inject('temporal')
    const env = {
      ...childEnvironment,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      LOCKERFLOW_TASK_QUEUE: builds.world.taskQueue,
      LOCKERFLOW_WORKFLOW_BUNDLE: file,
      ...more,
    }
    const { code, stdout, stderr } = await promisify(execFile)(process.execPath, [command, 'promote', ...args], {
      env,
    }).then(
      out => ({ ...out, code: 0 }),
      error => error,
    )
    return { code, lines: String(stdout).trim().split('\n'), stderr: String(stderr) }
  }

  test('names the cases that do not replay, and fails', async () => {
    const { deploymentName } = builds
    const { code, lines } = await run(['--deployment', deploymentName, '--build-id', 'second'], incompatible)
    expect(lines).toEqual([
      `1 open flow moves to ${deploymentName}:second; 1 replayed with it`,
      `1 open flow stays on ${deploymentName}:first, whose workers are needed until then`,
      `refused: flows that would move to the build ${deploymentName}:second do not replay with it`,
      expect.stringContaining(`  ${lent.caseNo}: `),
      `${deploymentName}:third stays current`,
    ])
    expect(code).toBe(1)
  })

  test('only checks with its option', async () => {
    const { deploymentName } = builds
    const { code, lines } = await run(['--build-id', 'first', '--check'], asIs, {
      LOCKERFLOW_DEPLOYMENT: deploymentName,
    })
    const words = exampleOf('promote', { lockerflow: deploymentName, '2026-11-20': 'first' })
    expect(await run(words.slice(1), asIs)).toMatchObject({ code: 0, lines })
    expect(lines.slice(-2)).toEqual([
      `${deploymentName}:third stays current`,
      `${deploymentName}:first can be promoted`,
    ])
    expect(code).toBe(0)
    await soon(async () => expect(await current()).toBe('third'))
    const again = await run(['--deployment', deploymentName, '--build-id', 'third', '--check'], asIs)
    expect([again.code, again.lines.at(-1)]).toEqual([0, `${deploymentName}:third is already current`])
    expect(again.lines.join()).not.toContain('can be promoted')
  })

  test('reports the change; going back is a promotion too', async () => {
    const { deploymentName } = builds
    const { code, lines } = await run(['--deployment', deploymentName, '--build-id', 'first'], asIs)
    expect(lines).toEqual([
      `1 open flow moves to ${deploymentName}:first; 1 replayed with it`,
      `${deploymentName}:first is now current, instead of ${deploymentName}:third`,
    ])
    expect(code).toBe(0)
    await builds.world.flows.cancel(issued.caseNo, 'over')
    await builds.world.flows.cancel(lent.caseNo, 'over')
  })

  test('fails without a build, and reports the reason', async () => {
    expect(await run([], asIs)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^promote: --deployment: must be given, or LOCKERFLOW_DEPLOYMENT must be set/),
    })
  })
})

test('a pinned flow of a retired build is moved by an override', async () => {
  const { world, connection } = builds
  const { caseNo, shipments } = await startFor(world, 'issue')
  await walk(world, { flow: 'issue', caseNo, shipments }, 'pickUp')
  expect(await builds.whereIs(caseNo)).toEqual({ buildId: 'first', pinned: true })
  await connection.workflowService.updateWorkflowExecutionOptions({
    namespace: inject('temporal').namespace,
    workflowExecution: { workflowId: toWorkflowId(caseNo) },
    workflowExecutionOptions: { versioningOverride: { autoUpgrade: true } },
    updateMask: { paths: ['versioning_override'] },
  })
  await first.stop()
  await soon(async () => {
    const checked = await builds.promote('third', asIs, { onlyCheck: true })
    expect(checked).toMatchObject({ objections: [], moving: 1, replayed: 1, staying: new Map() })
  })
  await builds.promote('third', asIs)
  for (const shipment of shipments) await world.open(shipment, 'pickUpCode')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  expect(await builds.whereIs(caseNo)).toMatchObject({ buildId: 'third' })
})

test('a worker process reports its build, and that flows wait for a promotion', async () => {
  const { address, namespace } = inject('temporal')
  const main = fileURLToPath(new URL('../../../worker/main.ts', import.meta.url))
  const child = spawn(process.execPath, [main], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...childEnvironment,
      TEMPORAL_ADDRESS: address,
      TEMPORAL_NAMESPACE: namespace,
      LOCKERFLOW_TASK_QUEUE: 'without-flows',
      LOCKERFLOW_DEPLOYMENT: `${builds.deploymentName}-another`,
      LOCKERFLOW_BUILD_ID: 'b1',
      LOCKERFLOW_WORKFLOW_BUNDLE: await bundleFile(),
    },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const name = `${builds.deploymentName}-another`
  expect((await lines.next()).value).toBe(
    `worker ready: build ${name}:b1, task queue without-flows, namespace ${namespace}, Temporal ${address}`,
  )
  const [logged] = await once(createInterface(child.stderr), 'line')
  expect(JSON.parse(logged)).toMatchObject({
    logId: 'worker-not-ready',
    reason: `the deployment ${name} has no current build, so only flows pinned to this build make progress; to make it current: lockerflow promote --deployment ${name} --build-id b1`,
  })
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})
