import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { toWorkflowId } from '#flows'
import { traceHeader } from '#platform/telemetry/traceContext'
import { startIssuer } from '../support/flowApi/issuer.ts'
import { callsOf } from '../support/flowApi/useFlowApi.ts'
import { useTelemetry } from '../support/telemetry/useTelemetry.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { bodyOf, post, signed, test } from '../support/world/gatewayTest.ts'

const telemetry = useTelemetry()

function newTraceparent() {
  const traceId = randomBytes(16).toString('hex')
  return { traceId, traceparent: `00-${traceId}-00f067aa0ba902b7-01` }
}

test('a verified callback continues its trace, as far as the signal', async ({ gateway, flow, lines }) => {
  const { traceId, traceparent } = newTraceparent()
  const body = bodyOf(flow.caseNo)
  expect((await post(gateway, body, { ...signed(body), traceparent })).status).toBe(204)
  const received = await telemetry.spanWhen(span => span.traceId === traceId && span.name === 'receive callback')
  expect(received).toMatchObject({ parentSpanId: '00f067aa0ba902b7', failed: false })
  expect(received.attributes).toEqual({
    'lockerflow.case_no': flow.caseNo,
    'lockerflow.shipment_uid': 'S1',
    'lockerflow.outcome': 'signalled',
  })
  const sent = await telemetry.spanWhen(span => span.traceId === traceId && span.name.startsWith('SignalWorkflow:'))
  expect(sent.parentSpanId).toBe(received.spanId)
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'callback received', trace_id: traceId })
})

test('a forged callback and the probes of the gateway record nothing', async ({ gateway, flow }) => {
  const forged = newTraceparent()
  const body = bodyOf(flow.caseNo)
  const headers = { ...signed(body, { by: ['another-key-of-a-forger'] }), traceparent: forged.traceparent }
  expect((await post(gateway, body, headers)).status).toBe(401)
  // Exported after the forged one would have been.
  const genuine = newTraceparent()
  await post(gateway, body, { ...signed(body), traceparent: genuine.traceparent })
  await telemetry.spanWhen(({ traceId, name }) => traceId === genuine.traceId && name === 'receive callback')
  expect(telemetry.spans.filter(({ traceId }) => traceId === forged.traceId)).toEqual([])
  const roots = telemetry.spans.filter(({ name, parentSpanId }) => name.startsWith('Signal') && !parentSpanId)
  expect(roots).toEqual([])
})

test('a start by HTTP continues its trace, as far as the workflow, and one without a token records nothing', async ({
  open,
  temporal,
  lines,
}) => {
  const issuer = await startIssuer()
  const { url, audience } = issuer
  const { flowApiAddress = '' } = await open({
    taskQueue: 'without-worker',
    flowApi: { host: '127.0.0.1', port: 0, issuers: [{ kind: 'openid', issuer: url, audience }] },
  })
  const caseNo = `T-${randomBytes(8).toString('hex')}`
  const [forged, genuine] = [newTraceparent(), newTraceparent()]
  const input = { caseNo, request: parcel }
  const start = async (token: string, { traceparent }: typeof genuine) =>
    (await callsOf(flowApiAddress, token)('POST', '/flows/stock', input, { traceparent, baggage: 'user=ada' })).status
  expect(await start('forged', forged)).toBe(401)
  expect(await start(await issuer.token(), genuine)).toBe(202)
  const { traceId } = genuine
  const received = await telemetry.spanWhen(span => span.traceId === traceId && span.name === 'startFlow')
  expect(received).toMatchObject({ parentSpanId: '00f067aa0ba902b7', failed: false })
  expect(received.attributes).toMatchObject({
    'lockerflow.operation': 'startFlow',
    'http.route': '/flows/:key',
    'http.response.status_code': expect.anything(),
  })
  const started = await telemetry.spanWhen(span => span.traceId === traceId && span.name === 'StartWorkflow:stock')
  expect(started.parentSpanId).toBe(received.spanId)
  expect(telemetry.spans.filter(span => span.traceId === forged.traceId)).toEqual([])
  const { events } = await temporal.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
  const { header } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {}
  const context = JSON.parse(Buffer.from(header?.fields?.[traceHeader]?.data ?? []).toString())
  // The history keeps it unencrypted, and baggage can be about persons.
  expect(context).toEqual({ traceparent: expect.stringContaining(traceId) })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'request', operation: 'startFlow', trace_id: traceId })
  await temporal.workflow.getHandle(toWorkflowId(caseNo)).terminate()
  await issuer.stop()
})
