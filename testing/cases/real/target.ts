import { randomUUID } from 'node:crypto'
import { createFlowClient } from '#client'
import { toStartOptions } from '#client/start'
import { flows as builtIn } from '#flows'
import { type CaseStart, type CaseTarget, fillIn, fillInRuns } from '#testing/cases'
import { type RealParts, type RealPartsOptions, startRealParts } from './parts.ts'
import { People } from './people.ts'
import { RealRun } from './run.ts'
import { toWindows, windowExceptions } from './times.ts'
import { findUnsupported } from './unsupported.ts'

/** A target whose runs have histories in Temporal. */
export interface RealTarget extends CaseTarget {
  start(start: CaseStart): Promise<RealRun>
}

/** Runs cases on a service, a gateway and a worker, with a Temporal that is running already. Time passes for real. */
export async function createRealTarget(options: RealPartsOptions): Promise<RealTarget> {
  const parts = await startRealParts(options)
  const people = new People(parts)
  const { windowFactor } = options
  const client = createFlowClient(parts.client, { taskQueue: parts.taskQueue })
  return {
    parts: 'real parts',
    windowFactor,
    windowExceptions,
    unsupported: (test, flow) => findUnsupported(test, flow, windowFactor),
    start: start => startCase(parts, people, client, start),
    stop: () => parts.stop(),
  }
}

async function startCase(
  parts: RealParts,
  people: People,
  client: ReturnType<typeof createFlowClient>,
  { test, flow, failing }: CaseStart,
): Promise<RealRun> {
  const { faults, played } = parts
  faults.clear()
  const caseNo = `case-${randomUUID()}`
  const items = new Map<string, string>()
  for (const [name, kind] of Object.entries(test.before ?? {})) items.set(name, await people.createItem(kind))
  await people.createUsers(test)
  const values = people.valuesFor(items)
  const request = fillIn(test.request, values, ['request'])
  played.set(caseNo, { runs: fillInRuns(test.runs ?? {}, values), ran: [] })
  for (const fail of failing) faults.fail(fail)
  // The flow client would refuse a wrong request. Here it fails the flow, as on the simulator.
  const options = toStartOptions(
    { taskQueue: parts.taskQueue, declaration: flow, compares: !Object.hasOwn(builtIn, flow.name) },
    flow.name,
    { caseNo, request, windows: toWindows(test, flow) },
  )
  await parts.client.workflow.start(flow.name, options)
  return new RealRun({ parts, people, client, caseNo, flow, items, values })
}
