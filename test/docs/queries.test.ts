import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, Connection } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { expect, inject, onTestFinished, test } from 'vitest'
import { compileWhere } from '../../client/where/query.ts'
import { createFlowCounter } from '../../gateway/flowCounts.ts'
import { openFlows } from '../../worker/promotion/openFlows.ts'
import { reportedFlows } from '../../worker/promotion/reportedProblems.ts'
import { findTemporalBuild } from '../cluster/temporalBuild.ts'
import { composeVersion, startTemporalOn } from '../cluster/temporalOnPostgres.ts'
import { root } from '../project/sources.ts'
import { newFolder } from '../support/service/temporaryStore.ts'
import { startPostgres } from '../support/setup/postgresServer.ts'
import type { Temporal } from '../support/world/settings.ts'

const folder = join(root, 'docs')
const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.md'))
const ofCommands = /(?:--query|-q) "([A-Z][^"]+)"/g
const ofTables = /`((?:Lockerflow\w+|WorkflowType|ExecutionStatus|Temporal\w+) (?:[=!<>]+|IS|IN) [^`\n]+)`/g

/** The queries of the pages, in commands and between backticks. */
const queries = pages.flatMap(page => {
  const text = readFileSync(join(folder, page), 'utf8').replaceAll(/ \\\n\s*/g, ' ')
  return [ofCommands, ofTables].flatMap(pattern =>
    [...text.matchAll(pattern)].map(([, query = '']) => ({ page, query })),
  )
})

/** Conditions with each kind of field, and a text that must not end its quotes. */
const conditions = [
  "overdue and pickUpPoint = 'pup-1' and not (flow in (a, b) or shipment = 's1')",
  "user = 'o\\'hare' or case != 'ends with \\\\'",
  'state = booking or state != waiting or not ended after 1d ago or started before 2026-11-01',
]

/** Counts by each query, and calls the code with queries of its own. */
async function expectAccepted({ address, namespace }: Temporal): Promise<void> {
  const connection = await NativeConnection.connect({ address })
  onTestFinished(() => connection.close())
  const caller = await Connection.connect({ address })
  onTestFinished(() => caller.close())
  const client = new Client({ connection: caller, namespace })
  const refused: unknown[] = []
  const where = conditions.map(text => ({ page: text, query: compileWhere(text, Date.now()) }))
  for (const { page, query } of [...queries, ...where]) {
    await client.workflow.count(query).catch(error => refused.push({ page, query, error }))
  }
  expect(refused).toEqual([])
  expect((await createFlowCounter(client)()).running).toHaveLength(4)
  const target = { connection, namespace, taskQueue: "o'hare" }
  expect(await openFlows(target)).toEqual([])
  expect(await reportedFlows(target)).toEqual([])
}

test('Temporal accepts the queries of all pages, and those of the code', async () => {
  expect(new Set(queries.map(({ page }) => page)).size).toBeGreaterThan(6)
  await expectAccepted(inject('temporal'))
})

test('so does Temporal on PostgreSQL', async context => {
  const build = findTemporalBuild(composeVersion)
  if (build === undefined) return context.skip('`npm run test:all -- cluster` builds the server once per machine')
  const { folder, remove } = newFolder()
  onTestFinished(remove)
  const postgres = await startPostgres()
  onTestFinished(() => postgres.remove())
  const { part, temporal } = await startTemporalOn(postgres, build, folder)
  onTestFinished(() => part.stop())
  await expectAccepted(temporal)
}, 120_000)
