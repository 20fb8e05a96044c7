import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { toWorkflowId } from '#flows'
import { historyToJson } from '#worker'
import { pass } from '../../testing/stack/wire.ts'
import { startOwnTemporal } from '../support/servers/ownTemporal.ts'
import { createWorld } from '../support/world/createWorld.ts'
import type { World } from '../support/world/flowWorld.ts'
import { historyFolder } from './histories.ts'
import { historyNames, type Scenario } from './scenario.ts'
import { scenarios } from './scenarios.ts'

const { values, positionals } = parseArgs({
  options: { overwrite: { type: 'boolean', default: false } },
  allowPositionals: true,
})

/** Process, host and folder of the recording machine, as stack traces show them. They are removed. */
const identity = /\d+@[\w.-]+/g
const folderOfProject = fileURLToPath(new URL('../../', import.meta.url))

const unknown = positionals.filter(name => scenarios.every(scenario => scenario.name !== name))
if (unknown.length > 0) throw new Error(`no scenario ${unknown.join(', ')}`)
const wanted = scenarios.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
const kept = values.overwrite
  ? []
  : wanted.filter(scenario => historyNames(scenario).some(name => existsSync(fileOf(name))))
for (const { name } of kept) console.log(`kept      ${name} (--overwrite records it again)`)
const missing = wanted.filter(scenario => !kept.includes(scenario))
for (const [suggestedAt, alike] of Map.groupBy(missing, scenario => scenario.suggestedAt)) {
  await record(alike, suggestedAt === undefined ? [] : [`limit.historyCount.suggestContinueAsNew=${suggestedAt}`])
}

/** Records on a server with these settings. */
async function record(missing: readonly Scenario[], dynamicConfig: readonly string[]): Promise<void> {
  await mkdir(historyFolder, { recursive: true })
  const server = await startOwnTemporal(dynamicConfig)
  const world = await createWorld({ temporal: server.temporal })
  try {
    for (const scenario of missing) await recordOne(world, scenario)
  } finally {
    await world.stop()
    await server.stop()
  }
}

async function recordOne(world: World, scenario: Scenario): Promise<void> {
  const played = await scenario.play(world)
  world.toService.rule = () => pass
  const runs = typeof played === 'string' ? [{ workflowId: toWorkflowId(played) }] : played
  const names = historyNames(scenario)
  if (runs.length !== names.length) throw new Error(`${scenario.name}: ${runs.length} runs for ${names.join(', ')}`)
  for (const [index, { workflowId, runId }] of runs.entries()) {
    const handle = world.client.workflow.getHandle(workflowId, runId, { followRuns: false })
    await handle.result().catch(() => undefined)
    const history = historyToJson(await handle.fetchHistory())
      .replaceAll(identity, 'recorded')
      .replaceAll(folderOfProject, '/')
    await writeFile(fileOf(names[index] ?? ''), `${JSON.stringify(JSON.parse(history))}\n`)
    console.log(`recorded  ${names[index]}`)
  }
}

function fileOf(name: string): string {
  return join(historyFolder, `${name}.json`)
}
