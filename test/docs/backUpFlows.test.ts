import { randomBytes, randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import type { FlowStatus } from '#flows'
import { toWorkflowId } from '#flows'
import { createKeyRing } from '#service'
import { findTemporalBuild } from '../cluster/temporalBuild.ts'
import { composeVersion, startTemporalOn } from '../cluster/temporalOnPostgres.ts'
import { runVerb } from '../support/command.ts'
import { eventually } from '../support/eventually.ts'
import { startWith } from '../support/flows/underway.ts'
import { newFolder } from '../support/service/temporaryStore.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { createWorld } from '../support/world/createWorld.ts'
import type { World } from '../support/world/flowWorld.ts'
import type { Temporal } from '../support/world/settings.ts'
import { lacksCommands, startArchivedServer } from './backUpPage.ts'

const keyEncryption = createKeyRing({ id: '2026-11', key: randomBytes(32) })
const taskQueue = `test-${randomUUID()}`

/** The code that a person enters at the locker, by the stage that waits for it. */
const codes = { dropOff: 'deliveryCode', pickUp: 'pickUpCode' } as const
type Stage = keyof typeof codes

/** Starts a flow whose item is then brought if `stage` is `pickUp`. */
async function startUntil(world: World, stage: Stage): Promise<string> {
  const { caseNo } = await startWith(world, 'localShipment', { ...parcel, ToUserUid: world.userUid })
  if (stage === 'pickUp') await advance(world, caseNo, 'dropOff')
  await world.statusWhen(caseNo, status => status.stage === stage)
  return caseNo
}

async function advance(world: World, caseNo: string, stage: Stage): Promise<void> {
  const { shipments } = await world.statusWhen(caseNo, status => status.stage === stage)
  for (const { shipmentUid } of shipments) await world.openShipment(shipmentUid, codes[stage])
}

/** Ends a flow that waits at a stage as declared. */
async function end(world: World, caseNo: string, from: Stage): Promise<void> {
  if (from === 'dropOff') await advance(world, caseNo, 'dropOff')
  await advance(world, caseNo, 'pickUp')
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
}

async function statusOf(world: World, caseNo: string): Promise<FlowStatus> {
  return world.statusWhen(caseNo, () => true)
}

/** The running flows that Temporal lists. */
async function listed(world: World): Promise<string[]> {
  const ids: string[] = []
  for await (const { workflowId } of world.client.workflow.list({ query: `ExecutionStatus = 'Running'` }))
    ids.push(workflowId)
  return ids.toSorted()
}

/** The active shipments that no running flow follows, as the command of the page counts them. */
async function sweep(world: World, { address, namespace }: Temporal) {
  const { baseUrl, authUrl, clientId, clientSecret } = world.apiSettings
  const { code, values } = await runVerb(['sweep', '--older-than', '1ms'], {
    ...{ TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, LOCKERFLOW_TASK_QUEUE: taskQueue },
    ...{ LOCKERFLOW_BASE_URL: baseUrl, LOCKERFLOW_AUTH_URL: authUrl },
    ...{ LOCKERFLOW_CLIENT_ID: clientId, LOCKERFLOW_CLIENT_SECRET: clientSecret },
  })
  return { code, report: values[0] }
}

const nothingFound = { code: 0, report: { cases: [], tooRecent: 0, completed: 0, allListed: true } }

test.skipIf(lacksCommands)(
  'the drill of the page with a Temporal on PostgreSQL: open flows go on from the restored moment, and none is without its shipment',
  { timeout: 300_000 },
  async context => {
    const build = findTemporalBuild(composeVersion)
    if (build === undefined) return context.skip('`npm run test:all -- cluster` builds the server once per machine')
    const { folder, remove } = newFolder()
    onTestFinished(remove)
    const archive = await startArchivedServer()
    const { server } = archive
    const { part, temporal } = await startTemporalOn(server, build, folder)
    onTestFinished(() => part.stop())
    const databaseUrl = server.urlOf('lockerflow')
    let world: World | undefined
    onTestFinished(async () => world?.stop())
    const start = async () => {
      world = await createWorld({ service: { databaseUrl, keyEncryption }, temporal, taskQueue })
      return world
    }
    const halt = async () => {
      await world?.stop()
      world = undefined
      await part.stop()
      await server.kill()
    }

    const first = await start()
    const brought = await startUntil(first, 'pickUp')
    const copying = archive.copy()
    const meanwhile = await startUntil(first, 'dropOff')
    await copying
    const later = await startUntil(first, 'dropOff')
    const open = [brought, meanwhile, later].map(toWorkflowId).toSorted()
    // Visibility lists a flow a moment after its start.
    await eventually(async () => (await listed(first)).join() === open.join())
    const before = await Promise.all([brought, meanwhile, later].map(caseNo => statusOf(first, caseNo)))
    const moment = await archive.now()
    await first.flows.cancel(meanwhile, 'a mistake')
    await end(first, brought, 'pickUp')
    const undone = await startUntil(first, 'pickUp')
    await archive.archived()
    await halt()

    await archive.restoreTo(moment)
    await part.start()
    const second = await start()
    expect(await Promise.all([brought, meanwhile, later].map(caseNo => statusOf(second, caseNo)))).toEqual(before)
    expect(await listed(second)).toEqual(open)
    expect(await second.flows.status(undone)).toMatchObject({ kind: 'UnknownCase' })
    expect(await second.shipmentsOf(undone)).toEqual([])
    expect(await sweep(second, temporal)).toEqual(nothingFound)
    await end(second, brought, 'pickUp')
    await end(second, meanwhile, 'dropOff')

    // The archive lacks the latest commits, which only the log of the broken folder has.
    await archive.copy()
    const last = await startUntil(second, 'pickUp')
    await halt()
    await archive.restoreLatest()
    await part.start()
    const third = await start()
    expect(await sweep(third, temporal)).toEqual(nothingFound)
    await end(third, last, 'pickUp')
    await end(third, later, 'dropOff')
  },
)
