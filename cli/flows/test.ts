import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Calendars } from '#calendars'
import {
  type CaseReport,
  type CaseTarget,
  describeCaseFault,
  formatReport,
  hasFailed,
  isCovered,
  loadCases,
  runCases,
  toEdgeKey,
  toJsonReport,
  toJUnit,
} from '#cases'
import { edgeDiagram, loadFlows } from '#declarations'
import { flows as builtIn, searchAttributes } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { startTemporalServer } from '../temporal/index.ts'
import type { CasesArguments, FlowsArguments } from './arguments.ts'
import { formatFaults } from './report.ts'

/** An hour takes a sixth of a second, and a day four seconds. */
const defaultFactor = 1 / 21_600

/**
 * Runs test cases and prints their report.
 * @returns the exit code: 1 if a case has failed or a file has a fault, or if an edge is missing that must be covered
 */
export async function testCases(
  { patterns, json }: FlowsArguments,
  options: CasesArguments,
  calendars: Calendars | undefined,
): Promise<number> {
  const { flows: own, junit, diagram, covered } = options
  const loaded = await loadFlows(own, { taken: Object.keys(builtIn) })
  if (loaded.faults.length > 0) console.error(formatFaults(loaded).join('\n'))
  if (loaded.faults.some(({ warning }) => !warning)) return 1
  const flows = { ...builtIn, ...loaded.flows } as Readonly<Record<string, FlowDeclaration>>
  const cases = await loadCases(patterns, { flows })
  if (cases.cases.length === 0) {
    for (const fault of cases.faults) console.error(describeCaseFault(fault))
    return 1
  }
  const target = await startTarget(options, Object.values(loaded.flows), calendars)
  let report: CaseReport
  try {
    report = await runCases(cases, flows, target)
  } finally {
    await target.stop()
  }
  if (junit !== undefined) await writeFile(junit, toJUnit(report))
  console.log(json ? toJsonReport(report) : formatReport(report))
  if (diagram)
    for (const one of report.coverage) console.log(`\n${edgeDiagram(one.flow, edge => one.taken.has(toEdgeKey(edge)))}`)
  return hasFailed(report) || (covered && !isCovered(report)) ? 1 : 0
}

/** The SDK and the service take a second to load, and the other verbs do without them. */
async function startTarget(
  { real, factor = defaultFactor }: CasesArguments,
  own: readonly FlowDeclaration[],
  calendars: Calendars | undefined,
): Promise<CaseTarget> {
  if (!real) return (await import('#cases/simulated')).createSimulatedTarget(own, calendars)
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-cases-'))
  const server = await startTemporalServer({
    databaseFile: join(folder, 'temporal.db'),
    logFile: join(folder, 'temporal.log'),
    ip: '127.0.0.1',
    namespace: 'default',
    searchAttributes,
    headless: true,
    progress: line => console.error(line),
  })
  const stopServer = async () => {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
  try {
    const [{ createRealTarget }, { installRuntime }] = await Promise.all([import('#cases/real'), import('#worker')])
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
