import { writeFile } from 'node:fs/promises'
import { type Calendars, readCalendars } from '#activities/calendars'
import { allSteps, flows as builtIn } from '#flows'
import {
  type DiagramOptions,
  type Fault,
  flowDiagram,
  flowSvg,
  type LoadedFlows,
  loadFlows,
  runDiagram,
  runSvg,
  suggest,
} from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import { misuse, ReportedFailure } from '../command/failure.ts'
import type { Output } from '../command/output.ts'
import { requireFile } from '../command/values.ts'
import type { VerbAction, VerbCall } from '../command/verb.ts'
import { type FlowsAct, type FlowsArguments, readFlows } from './arguments.ts'
import { formatFaults, formatTypes } from './report.ts'

/** The action of `flows <act>`. The exit code is 1 for a declaration with a fault, or a case that fails. */
export function flowsAction(act: FlowsAct): VerbAction {
  return { run: async call => perform(readFlows(act, call), call) }
}

async function perform(parsed: FlowsArguments, call: VerbCall): Promise<void> {
  const { output, environment } = call
  const { act, patterns, connect } = parsed
  if (parsed.cases !== undefined) {
    const { testCases } = await import('./test.ts')
    const calendars = await findCalendars(parsed.cases.calendars, environment)
    if (!(await testCases(parsed, parsed.cases, calendars, call))) throw new ReportedFailure()
    return
  }
  if (parsed.simulation !== undefined) {
    // The engine and the service take a second to load.
    const { simulateFlow } = await import('./simulate.ts')
    const calendars = await findCalendars(parsed.simulation.calendars, environment)
    if (!(await simulateFlow(parsed, parsed.simulation, calendars, output))) throw new ReportedFailure()
    return
  }
  if (act === 'diagram' && (await showCase(parsed, output, environment))) return
  const activities = parsed.activities === undefined ? {} : { activities: await readActivities(parsed.activities) }
  const checked = await loadFlows(patterns, { taken: Object.keys(builtIn), ...activities })
  const loaded = connect ? withFaults(checked, await findUnpolled(checked, environment)) : checked
  const { flows, faults } = loaded
  if (act === 'check') output.result({ flows: Object.keys(flows), faults }, () => formatFaults(loaded))
  else await printFlows(parsed, loaded, output)
  if (faults.some(({ warning }) => !warning)) throw new ReportedFailure()
}

/** The loaded flows, of which further checks have found faults. */
function withFaults(loaded: LoadedFlows, further: readonly Fault[]): LoadedFlows {
  const faulty = new Set(further.filter(({ warning }) => !warning).map(({ flow }) => flow))
  const sound = Object.entries(loaded.flows).filter(([name]) => !faulty.has(name))
  return { ...loaded, flows: Object.fromEntries(sound), faults: [...loaded.faults, ...further] }
}

async function printFlows({ act, at, svg }: FlowsArguments, loaded: LoadedFlows, output: Output): Promise<void> {
  const { flows, faults } = loaded
  if (faults.length > 0) output.note(formatFaults(loaded))
  if (act === 'types') {
    output.result({ types: formatTypes(flows) }, () => formatTypes(flows).split('\n'))
    return
  }
  if (at !== undefined) requireStep(at, Object.values(flows))
  const options = at === undefined ? {} : { at }
  if (svg !== undefined) await writeSvg(svg, Object.values(flows), options)
  for (const flow of Object.values(flows)) {
    const diagram = flowDiagram(flow, options)
    output.item({ flow: flow.name, diagram }, () => diagram.split('\n'))
  }
}

/** A file has one picture. @throws CommandFailure for several flows */
async function writeSvg(file: string, flows: readonly FlowDeclaration[], options: DiagramOptions): Promise<void> {
  const [flow, ...others] = flows
  const names = flows.map(({ name }) => name).join(', ')
  if (others.length > 0) throw misuse(`--svg: must be given for one flow, got ${names}.`)
  if (flow !== undefined) await writeFile(file, flowSvg(flow, options))
}

/** @throws CommandFailure if no flow has the step */
function requireStep(at: string, flows: readonly FlowDeclaration[]): void {
  const names = ['end', ...flows.flatMap(({ steps }) => allSteps(steps).map(({ name }) => name))]
  if (flows.length === 0 || names.includes(at)) return
  throw misuse(`--at: must be a step of the flow or end, got "${at}".${suggest(at, names)}`)
}

/** The names of the activities that a worker would have. The SDK takes a second to load, and the other checks do without it. */
async function readActivities(file: string): Promise<string[]> {
  await requireFile('--activities', file)
  const { importActivities } = await import('#worker')
  return importActivities(file).then(Object.keys, (error: Error) => {
    throw misuse(`--activities: ${error.message}`)
  })
}

/** The calendars of the option, else those that the worker would have. */
async function findCalendars(
  option: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<Calendars | undefined> {
  if (option !== undefined) {
    await requireFile('--calendars', option)
    return readCalendars(option, '--calendars')
  }
  return environment.LOCKERFLOW_CALENDARS ? readCalendars(environment.LOCKERFLOW_CALENDARS) : undefined
}

/** The SDK takes a second to load, and the other checks do without it. */
async function findUnpolled(loaded: LoadedFlows, environment: NodeJS.ProcessEnv): Promise<Fault[]> {
  const { findUnpolledQueues } = await import('./pollers.ts')
  return findUnpolledQueues(loaded, environment)
}

/** Prints the picture of a case. False for declarations. */
async function showCase(
  { patterns: [given = '', ...others], svg, at }: FlowsArguments,
  output: Output,
  environment: NodeJS.ProcessEnv,
): Promise<boolean> {
  const { isDeclarationFile, isFolder, isHistory, readCasePicture } = await import('./picture.ts')
  if (await isFolder(given)) {
    const pattern = `${given.replace(/\/+$/, '')}/*.{ts,yaml}`
    throw misuse(
      `files: must be files or patterns, but "${given}" is a folder. Give "${pattern}", or the file of a history.`,
    )
  }
  const isFile = isDeclarationFile(given)
  if (isFile && !(await isHistory(given))) return false
  if (at !== undefined) throw misuse('--at: must be given for declarations only.')
  if (others.length > 0) throw misuse('case: must be one case number, or one history.')
  const { readHistoryPicture } = await import('./recordedPicture.ts')
  const picture = isFile ? await readHistoryPicture(given, environment) : await readCasePicture(given, environment)
  if (svg !== undefined) await writeFile(svg, runSvg(picture))
  const diagram = runDiagram(picture)
  output.result({ diagram }, () => diagram.split('\n'))
  return true
}
