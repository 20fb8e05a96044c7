import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Metric, metricTable, temporalMetrics } from '#metrics'
import { root } from '../project/sources.ts'
import { eventually } from '../support/eventually.ts'
import { declared } from '../support/flows/stages.ts'
import { startFor, walk } from '../support/flows/underway.ts'
import { type Processes, type ProcessName, person, startProcesses } from '../support/metrics/processes.ts'
import { parcel } from '../support/world/apiWorld.ts'

const names = ['service', 'gateway', 'worker'] as const
const page = readFileSync(join(root, 'docs/reference/metrics-and-logs.md'), 'utf8')

let processes: Processes
let scrapes: Record<ProcessName, string>

/** Every flow runs to its end, one booking is repeated and one refused, and a caller lists flows. */
beforeAll(async () => {
  processes = await startProcesses()
  const { world } = processes
  for (const { name } of declared) {
    const underway = await startFor(world, name)
    await walk(world, underway)
    expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  }
  for (const idempotencyKey of ['one', 'one']) {
    await world.api.call('CreateLocalShipmentAsStock', parcel, { idempotencyKey })
  }
  await world.api.call('CreateLocalShipmentAsStock', { ...parcel, PupUid: 'nowhere' }).catch(() => undefined)
  const token = await processes.token()
  const headers = { authorization: `Bearer ${token}` }
  // The gateway refuses callers while the machine is busy.
  await eventually(async () => (await fetch(`${processes.doorAddress}/flows`, { headers })).ok || undefined, 40_000)
  const entries = await Promise.all(
    names.map(async name => [
      name,
      await eventually(async () => {
        const text = await processes.scrape(name)
        return expectedOf(name).every(metric => text.includes(metric)) ? text : undefined
      }, 40_000),
    ]),
  )
  scrapes = Object.fromEntries(entries)
}, 180_000)

afterAll(() => processes?.stop())

/** Labels that Temporal's SDK adds to the metrics of a worker. */
const ofSdk = ['namespace', 'taskQueue', 'workflowType']

/** The metrics that a process must expose after these flows. */
function expectedOf(process: ProcessName): string[] {
  const own = Object.entries<Metric>(metricTable).filter(([, metric]) => metric.process === process)
  const ofTemporal = ['temporal_workflow_completed_total', 'temporal_worker_task_slots_available']
  return [...own.map(([name]) => name), ...(process === 'worker' ? ofTemporal : [])]
}

function exposedBy(name: ProcessName): string[] {
  return [...scrapes[name].matchAll(/^# TYPE (\S+) /gm)].map(([, metric = '']) => metric)
}

describe.each(names)('the %s', name => {
  test('exposes every metric of its table', () => {
    expect(exposedBy(name)).toEqual(expect.arrayContaining(expectedOf(name)))
  })

  test('exposes only metrics that the page names', () => {
    const unknown = exposedBy(name).filter(metric => metric !== 'target_info' && !page.includes(`| \`${metric}\` |`))
    expect(unknown).toEqual([])
  })

  test('exposes only labels of the table', () => {
    const allowed = new Set(['otel_scope_name', 'le', ...(name === 'worker' ? ofSdk : [])])
    const samples = scrapes[name].matchAll(/^(lockerflow_\w+?)(?:_bucket|_count|_sum)?\{([^}]*)\}/gm)
    for (const [, metric = '', labels = ''] of samples) {
      const declaredLabels = Object.keys((metricTable as Record<string, Metric>)[metric]?.labels ?? {})
      const found = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label).filter(label => !allowed.has(label))
      expect({ metric, labels: found }).toEqual({ metric, labels: declaredLabels })
    }
  })
})

test.each(names)('the %s is ready, and lacks nothing', async name => {
  expect(await processes.ready(name)).toMatchObject({ status: 200, body: { ready: true, missing: [] } })
})

test('bookings are counted by their result', () => {
  expect(scrapes.service).toMatch(/^lockerflow_bookings_total\{result="booked",.*\} \d+$/m)
  expect(scrapes.service).toMatch(/^lockerflow_bookings_total\{result="repeated",.*\} 1$/m)
  expect(scrapes.service).toMatch(/^lockerflow_bookings_total\{result="InvalidPupUid",.*\} 1$/m)
})

test('steps are counted by flow and step', () => {
  const counted = (flow: string, step: string) =>
    new RegExp(`^lockerflow_flow_steps_total{flow="${flow}",.*outcome="reached",step="${step}",.*} 1$`, 'm')
  for (const step of ['booking', 'dropOff', 'pickUp']) expect(scrapes.worker).toMatch(counted('issue', step))
})

test('no metric and no log line contains a code, a secret or a personal field', async () => {
  const written = [...Object.values(scrapes), ...processes.written].join('\n')
  // They are really there, and readable.
  expect(written).toContain('"operation":"GetShipmentAccessCode"')
  expect(processes.codes.size).toBeGreaterThan(declared.length)
  for (const text of [...Object.values(person), ...processes.secrets]) expect(written, text).not.toContain(text)
  for (const code of processes.codes) expect(written, code).not.toMatch(new RegExp(`"${code}"|[: ]${code}\\b`))
  expect(written).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/)
})

test('every metric of a worker has a row, so that no upgrade of the SDK renames one silently', () => {
  expect([...Object.keys(temporalMetrics), ...expectedOf('worker')]).toEqual(
    expect.arrayContaining(exposedBy('worker').filter(name => name !== 'target_info')),
  )
})
