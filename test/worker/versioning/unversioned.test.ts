import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { findTemporalCommand } from '#testing/temporal'
import type { RunningWorker } from '#worker'
import { eventually } from '../../support/eventually.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import { startFor, type Underway, walk } from '../../support/flows/underway.ts'
import { bundle } from '../../support/world/bundle.ts'

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'

const nowhere = { buildId: undefined, pinned: false }
const onOld = { buildId: 'old', pinned: true }

let builds: Builds
let old: RunningWorker
let command: string
/** All from when the build was current: a loan that is lent, and two issues that wait for their user. */
let lent: Underway
let issued: Underway
let moved: Underway

beforeAll(async () => {
  builds = await createBuilds()
  command = await findTemporalCommand(line => console.error(line))
  old = await builds.start('old', await bundle())
  await eventually(async () => (await builds.promote('old', await bundle())).objections.length === 0)
  const { world } = builds
  lent = await startFor(world, loan)
  issued = await startFor(world, 'issue')
  moved = await startFor(world, 'issue')
  await walk(world, lent, 'return')
  await walk(world, issued, 'pickUp')
  await walk(world, moved, 'pickUp')
})

afterAll(() => builds.stop())

/** As an operator does it. */
async function temporal(...args: readonly string[]): Promise<void> {
  const { address, namespace } = inject('temporal')
  await promisify(execFile)(command, [...args, '--address', address, '--namespace', namespace])
}

/** An operator's query for flows that are pinned to the old build. */
function pinnedToOld(): string {
  const build = `TemporalWorkerDeploymentVersion = '${builds.deploymentName}:old'`
  return `${build} AND TemporalWorkflowVersioningBehavior = 'Pinned' AND ExecutionStatus = 'Running'`
}

async function countPinned(): Promise<number> {
  return (await builds.world.client.workflow.count(pinnedToOld())).count
}

async function collect({ caseNo, shipments }: Underway): Promise<void> {
  const [shipment] = shipments
  if (shipment === undefined) throw new Error(`nothing was booked for ${caseNo}`)
  await builds.world.open(shipment, 'pickUpCode')
}

/** True if a worker answers a query of the flow; without one the query times out. */
function answers({ caseNo }: Underway): Promise<boolean> {
  const { client } = builds.world
  const ask = () => client.workflow.getHandle(toWorkflowId(caseNo)).query('status')
  return client.connection.withDeadline(Date.now() + 2_000, ask).then(
    () => true,
    () => false,
  )
}

// One story: each test goes on from the one before.
describe('workers without a build', () => {
  test('get no tasks while a build is current', async () => {
    const { world } = builds
    await world.restartWorker()
    const another = await startFor(world, 'issue')
    expect(await builds.whereIs(another.caseNo)).toEqual(onOld)
    await world.flows.cancel(another.caseNo, 'over')
  })

  test('get new flows, short and long, as soon as no build is current', async () => {
    const { world, deploymentName } = builds
    await temporal(
      ...['worker', 'deployment', 'set-current-version', '--yes'],
      ...['--deployment-name', deploymentName, '--unversioned'],
    )
    for (const flow of ['issue', loan] as const) {
      const fresh = await startFor(world, flow)
      expect(await builds.whereIs(fresh.caseNo)).toEqual(nowhere)
      await world.flows.cancel(fresh.caseNo, 'over')
    }
  })

  test('complete a loan from the build, once the workers of the build are gone', async () => {
    const { world } = builds
    // A flow that one of them has in memory stays with it until then.
    await old.stop()
    const intake = lent.shipments.find(({ role }) => role === 'intake')
    if (intake === undefined) throw new Error('nothing was booked as intake')
    await world.open(intake, 'deliveryCode')
    expect(await world.flows.result(lent.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    expect(await builds.whereIs(lent.caseNo)).toEqual(nowhere)
  })

  test('get no tasks of flows that are pinned to the build: these hang', async () => {
    await eventually(async () => (await countPinned()) === 2)
    expect(await Promise.all([answers(issued), answers(moved)])).toEqual([false, false])
    expect(await builds.whereIs(issued.caseNo)).toEqual(onOld)
  })

  test('get a pinned flow after an override', async () => {
    await temporal(
      ...['workflow', 'update-options', '--versioning-override-behavior', 'auto_upgrade'],
      ...['--workflow-id', toWorkflowId(moved.caseNo)],
    )
    await collect(moved)
    expect(await builds.world.flows.result(moved.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    await eventually(async () => (await countPinned()) === 1)
  })

  test('leave a pinned flow to workers of the build, where it completes although the build is not current', async () => {
    old = await builds.start('old', await bundle())
    await collect(issued)
    expect(await builds.world.flows.result(issued.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    expect(await builds.whereIs(issued.caseNo)).toEqual(onOld)
    await eventually(async () => (await countPinned()) === 0)
  })
})
