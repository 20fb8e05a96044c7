import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { operations } from '#contract'
import { startWithReceiver, stock } from '../../support/service/callbacks.ts'
import { booking } from '../../support/service/topology.ts'
import { useTelemetry } from '../../support/telemetry/useTelemetry.ts'
import type { createWorld } from '../../support/world/createWorld.ts'

const telemetry = useTelemetry()

/** A trace context of a caller. */
function newContext(flags = '01') {
  const traceId = randomBytes(16).toString('hex')
  const spanId = randomBytes(8).toString('hex')
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } }
}

/** Books stock with a trace context, and returns the server span and the context. */
async function book(world: Awaited<ReturnType<typeof createWorld>>, token?: null) {
  const context = newContext()
  const before = telemetry.spans.length
  const { body } = await world.service.call('CreateLocalShipmentAsStock', booking, {
    ...context,
    ...(token === null && { token }),
  })
  const span = await telemetry.spanWhen(
    span => span.name === 'CreateLocalShipmentAsStock' && telemetry.spans.indexOf(span) >= before,
  )
  return { context, span, body }
}

describe('the span of a request', () => {
  test('continues the trace of an authenticated caller, with operation, code and tenant', async () => {
    const { world } = await startWithReceiver()
    const { context, span } = await book(world)
    expect(span).toMatchObject({ traceId: context.traceId, parentSpanId: context.spanId, failed: false })
    expect(span.attributes).toEqual({
      'http.request.method': 'POST',
      'http.route': operations.CreateLocalShipmentAsStock.path,
      'http.response.status_code': 200,
      'lockerflow.operation': 'CreateLocalShipmentAsStock',
      'lockerflow.tenant_id': expect.any(String),
    })
    const line = world.service.lines.find(({ trace_id }) => trace_id === context.traceId)
    expect(line).toMatchObject({ msg: 'request', span_id: span.spanId })
  })

  test('has the code of a refusal', async () => {
    const { world } = await startWithReceiver()
    const context = newContext()
    await world.service.call('CancelShipment', { shipmentUid: 'unknown' }, context)
    const span = await telemetry.spanWhen(
      ({ traceId, name }) => traceId === context.traceId && name === 'CancelShipment',
    )
    expect(span.attributes).toMatchObject({ 'lockerflow.error_code': 'InvalidShipment' })
    expect(span.failed).toBe(false)
  })

  test('begins a trace for a caller without a valid token', async () => {
    const { world } = await startWithReceiver()
    const { context, span } = await book(world, null)
    expect(span.traceId).not.toBe(context.traceId)
    expect(span.parentSpanId).toBeUndefined()
  })

  test('is not recorded for a caller that samples nothing', async () => {
    const { world } = await startWithReceiver()
    const context = newContext('00')
    await world.service.call('CreateLocalShipmentAsStock', booking, context)
    const { context: later } = await book(world)
    expect(later.traceId).not.toBe(context.traceId)
    expect(telemetry.spans.filter(({ traceId }) => traceId === context.traceId)).toEqual([])
  })

  test('is not recorded for a health probe', async () => {
    const { world } = await startWithReceiver()
    await world.service.send('/health/ready')
    await book(world)
    expect(telemetry.spans.filter(({ attributes }) => String(attributes['http.route']).includes('health'))).toEqual([])
  })
})

test('the transaction is a span below its request, even when requests share a commit', async () => {
  const { world } = await startWithReceiver()
  const booked = await Promise.all(Array.from({ length: 8 }, () => book(world)))
  for (const { context } of booked) {
    const server = await telemetry.spanWhen(
      ({ name, traceId }) => name === 'CreateLocalShipmentAsStock' && traceId === context.traceId,
    )
    const transaction = await telemetry.spanWhen(
      ({ name, traceId }) => name === 'transaction' && traceId === context.traceId,
    )
    expect(transaction.parentSpanId).toBe(server.spanId)
    expect(transaction.attributes['db.system.name']).toMatch(/^(sqlite|postgresql)$/)
  }
})

describe('the callback of a change', () => {
  test('is delivered in the trace of the change, and each delivery passes its own span on', async () => {
    const { world, receiver } = await startWithReceiver((_, count) => ({ status: count === 1 ? 500 : 204 }))
    const { context } = await book(world)
    const callbacks = await receiver.until(2)
    const transaction = await telemetry.spanWhen(
      ({ name, traceId }) => name === 'transaction' && traceId === context.traceId,
    )
    for (const [index, { headers }] of callbacks.entries()) {
      const [, traceId, spanId] = String(headers.traceparent).split('-')
      expect(traceId).toBe(context.traceId)
      const span = await telemetry.spanWhen(exported => exported.spanId === spanId)
      expect(span).toMatchObject({ name: 'deliver callback', parentSpanId: transaction.spanId, failed: index === 0 })
      expect(span.attributes).toMatchObject({ 'lockerflow.failures': index })
    }
  })

  test('carries no baggage of the caller', async () => {
    const { world, receiver } = await startWithReceiver()
    const { headers } = newContext()
    await world.service.call('CreateLocalShipmentAsStock', booking, { headers: { ...headers, baggage: 'user=ada' } })
    const [callback] = await receiver.until(1)
    expect(callback?.headers).not.toHaveProperty('baggage')
  })

  test('begins a trace of its own if the change was not traced', async () => {
    const { world, receiver } = await startWithReceiver(() => ({ status: 503 }))
    const shipmentUid = await stock(world)
    await world.service.store.updateTable('outbox').set({ traceparent: null }).execute()
    const before = receiver.received.length
    const callbacks = await receiver.until(before + 2, shipmentUid)
    const [, traceId] = String(callbacks.at(-1)?.headers.traceparent).split('-')
    const span = await telemetry.spanWhen(exported => exported.traceId === traceId)
    expect(span).toMatchObject({ name: 'deliver callback', parentSpanId: undefined })
  })
})
