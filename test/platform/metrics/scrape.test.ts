import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { flows } from '#flows'
import { encodingsOf } from '../../support/codec/payloads.ts'
import { readStored, type StoredWorkflow } from '../../support/codec/rawTexts.ts'
import { eventually } from '../../support/eventually.ts'
import { otherPerson, runOtherFlows } from '../../support/flows/otherFlows.ts'
import { declared } from '../../support/flows/stages.ts'
import { startFor, walk } from '../../support/flows/underway.ts'
import { person } from '../../support/metrics/journeyWorld.ts'
import { listed } from '../../support/metrics/listed.ts'
import { type Processes, type ProcessName, startProcesses } from '../../support/metrics/processes.ts'
import { type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { useFileServer } from '../../support/servers/fileServer.ts'
import { type Collector, startCollector } from '../../support/telemetry/collector.ts'
import { otelVariables } from '../../support/telemetry/useTelemetry.ts'
import { parcel } from '../../support/world/apiWorld.ts'

const names = ['service', 'gateway', 'worker'] as const

let processes: Processes
let scrapes: Record<ProcessName, string>

let collector: Collector
let receiver: Receiver
let stored: readonly StoredWorkflow[]
const files = useFileServer()

/** The client without the types of the built-in flows. */
interface CallerOfOwnFlow {
  start(flow: string, input: { readonly caseNo: string; readonly request: object }): Promise<unknown>
  answer(caseNo: string, given: { readonly step: string; readonly answer: string }): Promise<unknown>
}

/** Every flow runs to its end, one of a team of its own too, one booking is repeated and one refused, and a caller lists flows. */
beforeAll(async () => {
  collector = await startCollector()
  receiver = await startReceiver()
  processes = await startProcesses({ traces: otelVariables(collector), notificationsUrl: receiver.url })
  const { world } = processes
  await Promise.all(
    declared.map(async ({ name }) => {
      const underway = await startFor(world, name)
      await walk(world, underway)
      expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    }),
  )
  const caseNo = world.newCase()
  const ownFlows = world.flows as unknown as CallerOfOwnFlow
  await ownFlows.start('deskReturn', { caseNo, request: { device: 'device-1' } })
  await world.statusWhen(caseNo, status => status.stage === 'check')
  await ownFlows.answer(caseNo, { step: 'check', answer: 'accept' })
  expect(await world.flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  await runOtherFlows(world, files)
  for (const idempotencyKey of ['one', 'one']) {
    await world.api.call('CreateLocalShipmentAsStock', parcel, { idempotencyKey })
  }
  await world.api.call('CreateLocalShipmentAsStock', { ...parcel, PupUid: 'nowhere' }).catch(() => undefined)
  const token = await processes.token()
  const headers = { authorization: `Bearer ${token}` }
  // The gateway refuses callers while the machine is busy.
  await eventually(async () => (await fetch(`${processes.flowApiAddress}/flows`, { headers })).ok || undefined)
  const entries = await Promise.all(
    names.map(async name => [
      name,
      await eventually(async () => {
        const text = await processes.scrape(name)
        return expectedOf(name).every(metric => text.includes(metric)) ? text : undefined
      }),
    ]),
  )
  scrapes = Object.fromEntries(entries)
  // Visibility lists a workflow a moment after its start.
  stored = await eventually(async () => {
    const found = await readStored(world.client, world.taskQueue)
    return found.length >= receiver.received.length + declared.length ? found : undefined
  })
}, 300_000)

afterAll(async () => {
  await processes?.stop()
  await receiver?.stop()
  await collector?.stop()
})

/** Labels that Temporal's SDK adds to the metrics of a worker. */
const ofSdk = ['namespace', 'taskQueue', 'workflowType']

/** The metrics that a process must expose after these flows. The service has the embedded store, and no archive. */
function expectedOf(process: ProcessName): string[] {
  const own = listed.filter(metric => metric.process === process && !metric.meaning.includes('Only with PostgreSQL'))
  const ofTemporal = ['temporal_workflow_completed_total', 'temporal_worker_task_slots_available']
  return [...own.map(({ name }) => name), ...(process === 'worker' ? ofTemporal : [])]
}

function exposedBy(name: ProcessName): string[] {
  return [...scrapes[name].matchAll(/^# TYPE (\S+) /gm)].map(([, metric = '']) => metric)
}

describe.each(names)('the %s', name => {
  test('exposes every metric of the page', () => {
    expect(exposedBy(name)).toEqual(expect.arrayContaining(expectedOf(name)))
  })

  test('exposes only metrics that the page names', () => {
    const own = exposedBy(name).filter(metric => metric.startsWith('lockerflow_'))
    expect(own.filter(metric => !listed.some(each => each.name === metric))).toEqual([])
  })

  test('exposes histograms of times that have passed', () => {
    const samples = [...scrapes[name].matchAll(/^(lockerflow_\w+_seconds)_sum\{.*\} (\S+)$/gm)]
    const empty = samples.flatMap(([, metric = '', sum]) => (Number(sum) > 0 ? [] : [metric]))
    expect(empty).toEqual([])
  })

  test('exposes only labels of the page', () => {
    const allowed = new Set(['otel_scope_name', 'le', ...(name === 'worker' ? ofSdk : [])])
    const samples = scrapes[name].matchAll(/^(lockerflow_\w+?)(?:_bucket|_count|_sum)?\{([^}]*)\}/gm)
    for (const [, metric = '', labels = ''] of samples) {
      const declaredLabels = listed.find(each => each.name === metric)?.labels ?? []
      const found = [...labels.matchAll(/(\w+)="/g)].map(([, label = '']) => label).filter(label => !allowed.has(label))
      expect({ metric, labels: found }).toEqual({ metric, labels: declaredLabels })
    }
  })
})

test.each(names)('the %s is ready, and lacks nothing', async name => {
  // Temporal may answer late.
  await expect.poll(() => processes.ready(name)).toMatchObject({ status: 200, body: { ready: true, missing: [] } })
})

test('bookings are counted by their result', () => {
  expect(scrapes.service).toMatch(/^lockerflow_bookings_total\{result="booked",.*\} \d+$/m)
  // An attempt of a flow whose response is late is repeated as well.
  expect(scrapes.service).toMatch(/^lockerflow_bookings_total\{result="repeated",.*\} [1-9]\d*$/m)
  expect(scrapes.service).toMatch(/^lockerflow_bookings_total\{result="InvalidPupUid",.*\} 1$/m)
})

test('steps are counted by flow and step', () => {
  const counted = (flow: string, step: string, outcome: string, times = '1') =>
    new RegExp(`^lockerflow_flow_steps_total{flow="${flow}",.*outcome="${outcome}",step="${step}",.*} ${times}$`, 'm')
  // A sweep adopts the booking of another issue, which is cancelled before its drop-off.
  expect(scrapes.worker).toMatch(counted('issue', 'booking', 'reached', '[23]'))
  for (const step of ['dropOff', 'pickUp']) expect(scrapes.worker).toMatch(counted('issue', step, 'reached'))
  // A flow of a team of its own is counted without asking.
  for (const step of ['label', 'check', 'pause']) expect(scrapes.worker).toMatch(counted('deskReturn', step, 'reached'))
  expect(scrapes.worker).toMatch(counted('deskReturn', 'rating', 'timedOut'))
})

describe('no access code, token, secret or personal field is in', () => {
  const personal = [...Object.values(person), ...Object.values(otherPerson)]
  const token = /eyJ[\w-]+\.[\w-]+\.[\w-]+/

  function expectClean(text: string): void {
    for (const secret of [...personal, ...processes.secrets]) expect(text.includes(secret), secret).toBe(false)
    for (const code of processes.codes) expect(text, code).not.toMatch(new RegExp(`"${code}"|[: ]${code}\\b`))
    expect(text).not.toMatch(token)
  }

  test.each(names)('a metric of the %s', name => expectClean(scrapes[name]))

  test('a log line', () => {
    const written = processes.written.join('')
    // They are really there, and readable.
    expect(written).toContain('"operation":"GetShipmentAccessCode"')
    expect(processes.codes.size).toBeGreaterThan(declared.length)
    expectClean(written)
  })

  test('a span', () => {
    const services = new Set(collector.spans.map(({ service }) => service))
    expect([...services].toSorted()).toEqual(names.map(name => `lockerflow-${name}`).toSorted())
    expectClean(collector.bodies.join('\n'))
  })

  test('a history, a memo, a search attribute, a summary or a failure that Temporal stores', () => {
    const types = new Set(stored.map(({ type }) => type))
    const others = ['deskReturn', 'booking', 'sweep', 'notification']
    expect([...types]).toEqual(expect.arrayContaining([...Object.keys(flows), ...others]))
    for (const { text } of stored) expectClean(text)
  })

  test('a readable payload: the same payloads have personal fields when they are decrypted', async () => {
    const { payloadCodecs } = processes.world.client.options.loadedDataConverter
    const texts = await Promise.all(
      stored.flatMap(({ payloads }) =>
        payloads.map(async payload => {
          let decoded = [payload]
          for (const codec of payloadCodecs.toReversed()) decoded = await codec.decode(decoded)
          return Buffer.from(decoded[0]?.data ?? []).toString()
        }),
      ),
    )
    expect(texts.filter(text => text.includes(otherPerson.emailAddress)).length).toBeGreaterThan(0)
    for (const { payloads } of stored) expect(encodingsOf(payloads)).toEqual(['binary/encrypted'])
  })
})
