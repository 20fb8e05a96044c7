import { afterAll, beforeAll, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { rollBack } from '../../../worker/promotion/rollBack.ts'
import { eventually } from '../../support/eventually.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import { untilListed } from '../../support/flows/ramps.ts'
import { startFor, walk } from '../../support/flows/underway.ts'
import { type OwnTemporal, startOwnTemporal } from '../../support/servers/ownTemporal.ts'
import { bundle } from '../../support/world/bundle.ts'

/** Events after which Temporal suggests a new run. */
const limit = 80

let temporal: OwnTemporal
let builds: Builds

beforeAll(async () => {
  temporal = await startOwnTemporal([`limit.historyCount.suggestContinueAsNew=${limit}`])
  builds = await createBuilds({ temporal: temporal.temporal })
})

afterAll(async () => {
  await builds.stop()
  await temporal.stop()
})

/** Starts a worker of a build, and makes the build current. */
async function promote(buildId: string): Promise<void> {
  const code = await bundle()
  await builds.start(buildId, code)
  await eventually(async () => (await builds.promote(buildId, code)).objections.length === 0)
}

/** Sends callbacks of another shipment until the flow has another run. */
async function continueAsNew(caseNo: string): Promise<void> {
  const handle = builds.world.client.workflow.getHandle(toWorkflowId(caseNo))
  const { runId } = await handle.describe()
  const strange = { shipmentUid: 'another', stateCode: 'Completed', stateStart: '' }
  await Promise.all(Array.from({ length: limit }, () => handle.signal(shipmentStatus, strange)))
  await eventually(async () => {
    await handle.signal(shipmentStatus, strange)
    return (await handle.describe()).runId !== runId
  })
}

test('a flow that was pinned to the build before its ramp stays there when it continues as new during the ramp', async () => {
  const { world, connection, deploymentName } = builds
  await promote('good')
  const old = await startFor(world, 'issue')
  const since = new Date()
  const during = await startFor(world, 'issue')
  await promote('same')
  await Promise.all([old, during].map(({ caseNo }) => continueAsNew(caseNo)))

  await untilListed(builds, 'good', [old, during])

  const target = { connection, namespace: temporal.temporal.namespace, taskQueue: world.taskQueue }
  const build = { deploymentName, buildId: 'good' }
  const current = { deploymentName, buildId: 'same' }
  expect(await rollBack(target, { build, current, since, lag: 1_000 })).toMatchObject({
    ...{ moved: [during.caseNo], reset: [], left: [], staying: 1 },
  })
  expect(await builds.whereIs(old.caseNo)).toEqual({ buildId: 'good', pinned: true })
  for (const flow of [old, during]) {
    await walk(world, flow)
    expect(await world.flows.result(flow.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  }
})
