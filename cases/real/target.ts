import { randomUUID } from 'node:crypto'
import type { CaseStart, CaseTarget, TestCase } from '#cases'
import { toRequest } from '#cases'
import { createFlowClient } from '#client'
import { flows as builtIn, type FlowDeclaration } from '#flows'
import { type RealParts, type RealPartsOptions, startRealParts } from './parts.ts'
import { People } from './people.ts'
import { RealRun } from './run.ts'

/** Runs cases on a service, a gateway and a worker, with a Temporal that is running already. Time passes for real. */
export async function createRealTarget(options: RealPartsOptions): Promise<CaseTarget> {
  const parts = await startRealParts(options)
  const people = new People(parts)
  const { flows = [], windowFactor } = options
  const client = createFlowClient(parts.client, { taskQueue: parts.taskQueue, flows })
  return {
    parts: 'real parts',
    windowFactor,
    unsupported,
    start: start => startCase(parts, people, client, start),
    stop: () => parts.stop(),
  }
}

/** Activities of the project run for real, with the addresses of the request. */
function unsupported({ runs = {}, story }: TestCase, { name }: FlowDeclaration): string | undefined {
  if (Object.hasOwn(builtIn, name) && Object.keys(runs).length > 0) return 'its activity is one of the project'
  if (story.some(word => 'loseCallbacks' in word)) return 'the gateway loses no callbacks'
  return undefined
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
  played.set(caseNo, { runs: test.runs ?? {}, ran: [] })
  for (const fail of failing) faults.fail(fail)
  const values = people.valuesFor(items)
  const request = toRequest(test.request, values)
  // The name of the flow is known at run time only.
  const started = await client.start(flow.name as never, { caseNo, request } as never)
  if (started.kind !== 'Started') throw new Error(`The flow did not start: ${started.kind}.`)
  return new RealRun({ parts, people, client, caseNo, flow, items, values })
}
