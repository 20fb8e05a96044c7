import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Calendars } from '#activities/calendars'
import { flows as builtIn, searchAttributes } from '#flows'
import { edgeDiagram, type Fault, loadFlows } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import { unlessAborted } from '#platform/interruption'
import {
  type CaseFault,
  type CaseReport,
  describeCaseFault,
  formatReport,
  formatResult,
  hasFailed,
  isCovered,
  loadCases,
  runCases,
  toEdgeKey,
  toJsonReport,
  toJUnit,
} from '#testing/cases'
import type { StoryTarget } from '#testing/story'
import { startTemporalServer } from '#testing/temporal'
import { misuse } from '../command/failure.ts'
import type { Output } from '../command/output.ts'
import type { VerbCall } from '../command/verb.ts'
import type { CasesArguments, FlowsArguments } from './arguments.ts'
import { formatFaults } from './report.ts'

/** An hour takes a sixth of a second, and a day four seconds. */
const defaultFactor = 1 / 21_600

/**
 * Runs test cases and prints their report.
 * @returns false if a case has failed or a file has a fault, or if an edge is missing that must be covered
 */
export async function testCases(
  { patterns }: FlowsArguments,
  options: CasesArguments,
  calendars: Calendars | undefined,
  call: Pick<VerbCall, 'output' | 'signal'>,
): Promise<boolean> {
  const { output } = call
  const { flows: own, diagram, covered } = options
  const loaded = await loadFlows(own, { taken: Object.keys(builtIn) })
  if (loaded.faults.length > 0) output.note(formatFaults(loaded))
  const errors = loaded.faults.filter(({ warning }) => !warning)
  if (errors.length > 0) return await reportFaults(errors.map(toCaseFault), options, output)
  const flows = { ...builtIn, ...loaded.flows } as Readonly<Record<string, FlowDeclaration>>
  const found = await loadCases(patterns, { flows })
  const cases = own.length > 0 ? found : { ...found, faults: found.faults.map(withOption) }
  if (cases.cases.length === 0) {
    for (const fault of cases.faults) output.note(describeCaseFault(fault))
    return await reportFaults(cases.faults, options, output)
  }
  const target = await startTarget(options, Object.values(loaded.flows), calendars, output)
  let report: CaseReport
  try {
    const running = runCases(cases, flows, target, {
      own: Object.keys(loaded.flows),
      ...(options.real && { onEnd: result => output.note(formatResult(result).split('\n')) }),
    })
    // The SDK takes a signal to stop its workers, and the cases would wait for them.
    report = await (options.real ? unlessAborted(running, call.signal) : running)
  } finally {
    await target.stop()
  }
  const diagrams = diagram
    ? report.coverage.map(({ flow, taken }) => edgeDiagram(flow, edge => taken.has(toEdgeKey(edge))))
    : []
  output.result({ ...toJsonReport(report), ...(diagram && { diagrams }) }, () => [
    ...formatReport(report).split('\n'),
    ...diagrams.flatMap(each => ['', ...each.split('\n')]),
  ])
  await writeJUnit(report, options)
  if (hasFailed(report)) return false
  if (!covered || isCovered(report)) return true
  output.note('--covered: each path of a flow must be taken by a case. The report names the paths that no case takes.')
  return false
}

/** Reports faults that let no case run. A report of an earlier run would pass for one of this run. */
async function reportFaults(faults: readonly CaseFault[], options: CasesArguments, output: Output): Promise<false> {
  const report: CaseReport = { parts: options.real ? 'real parts' : 'simulator', faults, results: [], coverage: [] }
  // The text of the faults is printed already.
  output.result(toJsonReport(report), () => [])
  await writeJUnit(report, options)
  return false
}

/** @throws CommandFailure that names the option and the path. The report of the cases is printed before. */
async function writeJUnit(report: CaseReport, { junit }: CasesArguments): Promise<void> {
  if (junit === undefined) return
  try {
    await writeFile(junit, toJUnit(report))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw misuse(`--junit: must be a writable file, got "${junit}"${code ? ` (${code})` : ''}.`)
  }
}

/** A fault of a flow in the form of one of a case. Reports print its code, which is one of declarations. */
function toCaseFault({ code, ...fault }: Fault): CaseFault {
  return { ...fault, case: '', code: code as CaseFault['code'] }
}

/** The flow of the case is most often an own one. */
function withOption(fault: CaseFault): CaseFault {
  if (fault.code !== 'UnknownFlow') return fault
  return { ...fault, message: `${fault.message} Name your own flows with --flows.` }
}

/** The SDK and the service take a second to load, and the other verbs do without them. */
async function startTarget(
  { real, factor = defaultFactor }: CasesArguments,
  own: readonly FlowDeclaration[],
  calendars: Calendars | undefined,
  output: Output,
): Promise<StoryTarget> {
  if (!real) return (await import('#testing/story/simulated')).createSimulatedTarget(own, calendars)
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-cases-'))
  const server = await startTemporalServer({
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ip: '127.0.0.1',
    namespace: 'default',
    searchAttributes,
    headless: true,
    progress: line => output.note(line),
  })
  const stopServer = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const [{ createRealTarget }, { installRuntime }] = await Promise.all([
      import('#testing/story/real'),
      import('#worker'),
    ])
    installRuntime('ERROR')
    const temporal = { address: server.address, namespace: 'default' }
    const target = await createRealTarget({
      temporal,
      flows: own,
      windowFactor: factor,
      ...(calendars && { calendars }),
    })
    return {
      ...target,
      async stop() {
        await target.stop()
        await stopServer()
      },
    }
  } catch (error) {
    await stopServer()
    throw error
  }
}
