import { writeFile } from 'node:fs/promises'
import { argv } from 'node:process'
import { type Fault, findActivities, flowDiagram, type LoadedFlows, loadFlows, runDiagram, runSvg } from '#declarations'
import { flows as builtIn } from '#flows'
import { type FlowsArguments, readArguments } from './flows/arguments.ts'
import { formatFaults, formatTypes } from './flows/report.ts'

/** The command line is wrong. A declaration with a fault ends the command with 1. */
const usageExitCode = 2

try {
  const parsed = readArguments(argv.slice(2))
  await perform(parsed).catch(error => {
    console.error(`flows: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  })
} catch (error) {
  console.error(`flows: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = usageExitCode
}

async function perform(parsed: FlowsArguments): Promise<void> {
  const { act, patterns, at, connect, json } = parsed
  if (parsed.cases !== undefined) {
    const { testCases } = await import('./flows/test.ts')
    process.exitCode = await testCases(parsed, parsed.cases)
    return
  }
  if (parsed.simulation !== undefined) {
    // The engine and the service take a second to load.
    const { simulateFlow } = await import('./flows/simulate.ts')
    if (!(await simulateFlow(parsed, parsed.simulation))) process.exitCode = 1
    return
  }
  if (act === 'diagram' && (await showCase(parsed))) return
  const activities = parsed.activities === undefined ? {} : { activities: await findActivities(parsed.activities) }
  const checked = await loadFlows(patterns, { taken: Object.keys(builtIn), ...activities })
  const loaded = connect ? { ...checked, faults: [...checked.faults, ...(await findUnpolled(checked))] } : checked
  if (loaded.faults.some(({ warning }) => !warning)) process.exitCode = 1
  if (act === 'check') {
    console.log(json ? toJson(loaded) : formatFaults(loaded).join('\n'))
    return
  }
  if (loaded.faults.length > 0) console.error(formatFaults(loaded).join('\n'))
  if (act === 'types') console.log(formatTypes(loaded.flows))
  else for (const flow of Object.values(loaded.flows)) console.log(flowDiagram(flow, at === undefined ? {} : { at }))
}

/** The SDK takes a second to load, and the other checks do without it. */
async function findUnpolled(loaded: LoadedFlows): Promise<Fault[]> {
  const { findUnpolledQueues } = await import('./flows/pollers.ts')
  return findUnpolledQueues(loaded)
}

function toJson({ flows, faults }: LoadedFlows): string {
  return JSON.stringify({ flows: Object.keys(flows), faults }, undefined, 2)
}

/** Prints the picture of a case. False for declarations. */
async function showCase({ patterns: [given = '', ...others], svg }: FlowsArguments): Promise<boolean> {
  const { isDeclarationFile, isHistory, readCasePicture, readHistoryPicture } = await import('./flows/picture.ts')
  const isFile = isDeclarationFile(given)
  if (isFile && !(await isHistory(given))) {
    if (svg !== undefined) throw new Error('--svg: must be given for a case or a history only.')
    return false
  }
  if (others.length > 0) throw new Error('case: must be one case number, or one history.')
  const picture = isFile ? await readHistoryPicture(given) : await readCasePicture(given)
  if (svg !== undefined) await writeFile(svg, runSvg(picture))
  console.log(runDiagram(picture))
  return true
}
