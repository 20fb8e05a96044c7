// Runs the shipped test cases on real parts, and writes their time lines: `npm run record:cases [flow …]`.
import { writeFile } from 'node:fs/promises'
import type { History } from '@temporalio/worker'
import type { FlowDeclaration } from '#flows'
import { type LoadedCase, runCase } from '#testing/cases'
import { createRealTarget } from '#testing/cases/real'
import { bundleFlows, historyToJson } from '#worker'
import { loadShipped } from '../support/cases/shipped.ts'
import { startOwnTemporal } from '../support/servers/ownTemporal.ts'
import { readRun } from '../support/simulator/recordedRun.ts'
import { toLines } from '../support/simulator/runLines.ts'
import { windowFactor } from '../support/simulator/scaledCase.ts'
import { installTestRuntime } from '../support/world/runtime.ts'
import { fileOf, type RecordedCase } from './recordedCases.ts'

/** Cases at once. Each has parts of its own, as on the simulator: no account and no fault is that of another case. */
const concurrency = 4

const { flows, own, cases: shipped } = await loadShipped()
const wanted = process.argv.slice(2)
const unknown = wanted.filter(name => flows[name] === undefined)
if (unknown.length > 0) throw new Error(`no flow ${unknown.join(', ')}`)
const missing = shipped.cases.filter(({ test }) => wanted.length === 0 || wanted.includes(test.flow))

installTestRuntime()
const server = await startOwnTemporal()
try {
  const bundle = await bundleFlows()
  const left = [...missing.entries()]
  const recorded: RecordedCase[] = []
  async function recordNext(): Promise<void> {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const [index, loaded] = next
      const found = await recordOne(loaded, {
        temporal: server.temporal,
        flows: Object.values(own),
        windowFactor,
        bundle,
      })
      if (found !== undefined) recorded[index] = found
    }
  }
  await Promise.all(Array.from({ length: concurrency }, recordNext))
  for (const [flow, ofFlow] of Map.groupBy(Object.values(recorded), each => each.flow)) {
    await writeFile(fileOf(flow), `${JSON.stringify(ofFlow, undefined, 1)}\n`)
  }
} finally {
  await server.stop()
}

async function recordOne(
  loaded: LoadedCase,
  options: Parameters<typeof createRealTarget>[0],
): Promise<RecordedCase | undefined> {
  const { flow, case: name } = loaded.test
  const target = await createRealTarget(options)
  let history: History | undefined
  const { problems, skipped } = await runCase(loaded, flows[flow] as FlowDeclaration, {
    ...target,
    async start(start) {
      const run = await target.start(start)
      const close = run.close.bind(run)
      run.close = async () => {
        history = await run.history()
        await close()
      }
      return run
    },
  }).finally(() => target.stop())
  if (problems.length > 0) {
    process.exitCode = 1
    console.log(`failed    ${flow}: ${name}: ${problems.map(({ message }) => message).join(' ')}`)
    return undefined
  }
  if (history === undefined) {
    console.log(`left out  ${flow}: ${name}: ${skipped}`)
    return undefined
  }
  const { timeLineEvents, handled } = readRun(JSON.parse(historyToJson(history)))
  const lines = toLines(timeLineEvents)
  if (lines.some(line => line.includes('"code":"NoResponse"') || line.includes('"kind":"activityTimedOut"'))) {
    process.exitCode = 1
    console.log(`too slow  ${flow}: ${name}: a part did not respond in time. Record the case on a quieter machine.`)
    return undefined
  }
  const tasks = handled.map(task => task.map(each => ('uid' in each ? { ...each, uid: '' } : each)))
  const startedAt = new Date(Number(history.events?.[0]?.eventTime?.seconds) * 1_000).toISOString()
  const found: RecordedCase = { flow, case: name, startedAt, tasks, lines }
  console.log(`recorded  ${flow}: ${name}`)
  // The activities of built-in flows have other names on real parts, where they return what the case says.
  return JSON.parse(JSON.stringify(found).replaceAll(/OfCase(?=\\*")/g, ''))
}
