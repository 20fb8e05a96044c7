import { randomBytes } from 'node:crypto'
import { expect } from 'vitest'
import { useTelemetry } from '../support/telemetry/useTelemetry.ts'
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
