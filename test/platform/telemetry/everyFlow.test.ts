import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import { replay } from '#worker'
import { pass } from '../../../testing/stack/wire.ts'
import { markBundle } from '../../../worker/bundle.ts'
import { readHistories } from '../../replay/histories.ts'
import { wasDelayed } from '../../support/flows/history.ts'
import { noticeKey } from '../../support/flows/notifications.ts'
import { lastNotice, otherPerson, runOtherFlows } from '../../support/flows/otherFlows.ts'
import { declared } from '../../support/flows/stages.ts'
import { startFor, walk } from '../../support/flows/underway.ts'
import { type Receiver, startReceiver } from '../../support/servers/callbackReceiver.ts'
import { useFileServer } from '../../support/servers/fileServer.ts'
import { useTelemetry } from '../../support/telemetry/useTelemetry.ts'
import { bundle } from '../../support/world/bundle.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const telemetry = useTelemetry()
// At the end it replays the histories without tracing.
const world = useWorld()
const files = useFileServer()
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  await world.restartWorker({ notifications: { url: receiver.url, key: noticeKey } })
})

afterAll(() => receiver.stop())

/** The attributes of spans. None is personal. */
const attributes = [
  ...['attempt', 'db.system.name', 'error.type', 'run_id', 'server.address', 'server.port'],
  ...['http.request.method', 'http.response.status_code', 'http.route', 'temporalActivityId', 'temporalWorkflowId'],
  ...['case_no', 'error_code', 'failures', 'message_id', 'operation', 'outcome', 'shipment_uid', 'tenant_id'].map(
    name => `lockerflow.${name}`,
  ),
]

const onlyTraced = { encrypts: false, traced: true }

/** Access codes, personal data, tokens and secrets that the flows below have used. */
const secrets: string[] = [
  ...['robin@example.org', 'Robin', 'Reader', 'acme-secret', 'Bearer', noticeKey],
  ...Object.values(otherPerson),
]

async function rememberCodes(caseNo: string): Promise<void> {
  for (const { shipmentUid } of await world.shipmentsOf(caseNo)) {
    const { deliveryCode, pickUpCode } = await world.api.call(
      'GetShipmentAccessCode',
      { shipmentUid },
      { withCodes: true },
    )
    for (const code of [deliveryCode, pickUpCode]) if (code) secrets.push(`"${code}"`)
  }
}

describe('with traces', () => {
  test.each(declared)('$name runs to its end', async ({ name }) => {
    const underway = await startFor(world, name)
    await rememberCodes(underway.caseNo)
    await walk(world, underway)
    expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'completed' } })
  })

  test('an account is created, suggestions are imported, and a sweep adopts a booking', async () => {
    await runOtherFlows(world, files)
  })

  test('a notification continues the trace of its flow', async () => {
    const underway = await startFor(world, 'issue')
    await walk(world, underway)
    const { headers } = await lastNotice(receiver, underway.caseNo)
    const [, traceId, spanId] = String(headers.traceparent).split('-')
    const attempt = await telemetry.spanWhen(span => span.spanId === spanId)
    expect(attempt).toMatchObject({ traceId, name: 'RunActivity:sendNotification' })
    const run = await telemetry.spanWhen(
      ({ name, attributes }) =>
        name === 'RunWorkflow:issue' && attributes.temporalWorkflowId === toWorkflowId(underway.caseNo),
    )
    expect(run.traceId).toBe(traceId)
    expect(receiver.received.filter(({ headers }) => headers.traceparent === undefined)).toEqual([])
  })

  test('a booking is refused by a service that writes personal data into its message', async () => {
    const sentence = 'Robin Reader <robin@example.org> may not, with code R7X9Q2'
    const refusal = { success: false, error: 'SomethingElse', message: sentence }
    world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'answer', body: refusal } : pass)
    const caseNo = world.newCase(0)
    const request = { PupUid: 'pup-1', Dimension: { width: 1, height: 1, length: 1 } }
    const answer = await world.flows.startAndWaitForBooking('stock', { caseNo, request })
    expect(answer).toMatchObject({ kind: 'Refused' })
    // Digits alone can be a part of an id or of a time.
    secrets.push('R7X9Q2')
  })

  test('a history has no more events than without, and replays with tracing on', async () => {
    // Without notifications, which have events of their own.
    await world.restartWorker()
    let caseNo: string
    do {
      const underway = await startFor(world, 'issue')
      caseNo = underway.caseNo
      await walk(world, underway)
      await world.flows.result(caseNo)
    } while (await wasDelayed(world, caseNo))
    const workflowId = toWorkflowId(caseNo)
    const history = await world.client.workflow.getHandle(workflowId).fetchHistory()
    const events = history.events ?? []
    const tasks = events.filter(({ workflowTaskCompletedEventAttributes: completed }) => completed).length
    // As in test/workflows/flow/eventCount.test.ts.
    expect(events.length - 3 * tasks).toBeLessThanOrEqual(13)
    expect(await replay(await markBundle(await bundle(), onlyTraced), [{ workflowId, history }])).toEqual([])
  })
})

test('the recorded histories replay with tracing on', async () => {
  const traced = await markBundle(await bundle(), onlyTraced)
  expect(await replay(traced, readHistories().values())).toEqual([])
})

describe('no exported span', () => {
  beforeAll(async () => {
    const [last] = declared.slice(-1)
    await telemetry.spanWhen(({ name }) => name === `RunWorkflow:${last?.name}`)
  })

  test('contains an access code, personal data, a token or a secret', () => {
    expect(telemetry.spans.length).toBeGreaterThan(100)
    expect(secrets.length).toBeGreaterThan(20)
    const text = telemetry.bodies.join('\n')
    expect(secrets.filter(secret => text.includes(secret))).toEqual([])
  })

  test('has an attribute beside the declared ones', () => {
    const names = new Set(telemetry.spans.flatMap(({ attributes }) => Object.keys(attributes)))
    expect([...names].filter(name => !attributes.includes(name))).toEqual([])
  })

  test('records an event or the text of an error', () => {
    const events = telemetry.bodies.filter(body => /"events":\[\{/.test(body) || /"status":\{[^}]*"message"/.test(body))
    expect(events).toEqual([])
  })
})
