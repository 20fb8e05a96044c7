import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js'
import { startTemporalServer } from '#cli/temporal'
import { searchAttributes, workflowIdOf } from '#contract/terms'
import { createWorld, type World } from '../flows/world.ts'
import { pass } from '../wire/wire.ts'
import { historyFolder } from './histories.ts'
import type { Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const { values, positionals } = parseArgs({
  options: { overwrite: { type: 'boolean', default: false } },
  allowPositionals: true,
})

/** Process and host of whoever recorded; nothing for a repository. */
const identity = /\d+@[\w.-]+/g

const unknown = positionals.filter(name => scenarios.every(scenario => scenario.name !== name))
if (unknown.length > 0) throw new Error(`no scenario ${unknown.join(', ')}`)
const wanted = scenarios.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const kept = values.overwrite ? [] : wanted.filter(({ name }) => existsSync(fileOf(name)))
for (const { name } of kept) console.log(`kept      ${name} (--overwrite records it again)`)
await record(wanted.filter(scenario => !kept.includes(scenario)))

async function record(missing: readonly Scenario[]): Promise<void> {
  if (missing.length === 0) return
  await mkdir(historyFolder, { recursive: true })
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-record-'))
  const temporal = await startTemporalServer({
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ip: '127.0.0.1',
    namespace: 'default',
    searchAttributes,
    headless: true,
    progress: line => console.error(line),
  })
  const world = await createWorld({ address: temporal.address, namespace: 'default' })
  try {
    for (const scenario of missing) await recordOne(world, scenario)
  } finally {
    await world.stop()
    await temporal.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function recordOne(world: World, { name, play }: Scenario): Promise<void> {
  const caseNo = await play(world)
  world.toService.rule = () => pass
  const handle = world.client.workflow.getHandle(workflowIdOf(caseNo))
  await handle.result().catch(() => undefined)
  const history = historyToJSON(await handle.fetchHistory()).replaceAll(identity, 'recorded')
  await writeFile(fileOf(name), `${JSON.stringify(JSON.parse(history))}\n`)
  console.log(`recorded  ${name}`)
}

function fileOf(name: string): string {
  return join(historyFolder, `${name}.json`)
}
