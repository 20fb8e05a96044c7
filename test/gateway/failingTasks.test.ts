import { expect, onTestFinished, test } from 'vitest'
import { createFlowCounter } from '../../gateway/flowCounts.ts'
import { findTemporalBuild } from '../cluster/temporalBuild.ts'
import { composeVersion, startTemporalOn } from '../cluster/temporalOnPostgres.ts'
import { eventually } from '../support/eventually.ts'
import { book } from '../support/flows/booking.ts'
import { incompatibleBundle } from '../support/flows/changedBundle.ts'
import { newFolder } from '../support/service/temporaryStore.ts'
import { startPostgres } from '../support/setup/postgresServer.ts'
import { bundle } from '../support/world/bundle.ts'
import { createWorld } from '../support/world/createWorld.ts'

/** Milliseconds. The server reports a flow after five failures, between which it waits longer and longer. */
const reportedWithin = 120_000

test('a flow whose history does not replay counts, with the server of docker-compose.yml, until its tasks succeed', async context => {
  const build = findTemporalBuild(composeVersion)
  if (build === undefined) return context.skip('`npm run test:cluster` builds the server once per machine')
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  const { part, temporal } = await startTemporalOn(postgres, build, folder)
  onTestFinished(() => part.stop())
  const world = await createWorld({ temporal })
  onTestFinished(() => world.stop())
  const countFlows = createFlowCounter(world.client)
  const countIs = (expected: number) => async () => (await countFlows()).failingTasks === expected

  const failing = await book(world, 'issue')
  const other = await book(world, 'issue')
  await eventually(countIs(0))
  await world.restartWorker({ bundle: await incompatibleBundle() })
  await world.open(failing.shipment, 'deliveryCode')
  await eventually(countIs(1), reportedWithin)
  expect((await countFlows()).running).toContainEqual({ state: 'waiting', count: 2 })

  await world.restartWorker({ bundle: await bundle() })
  await world.statusWhen(failing.caseNo, ({ stage }) => stage === 'pickUp')
  await eventually(countIs(0))
  for (const { caseNo } of [failing, other]) await world.flows.cancel(caseNo, 'over')
}, 300_000)
