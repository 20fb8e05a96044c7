import { describe, expect, inject } from 'vitest'
import { startGrpcRelay } from '../support/servers/grpcRelay.ts'
import { startGrpcStandIn } from '../support/servers/grpcStandIn.ts'
import { startRelay } from '../support/servers/relay.ts'
import { measureSlowness } from '../support/slowness.ts'
import { bodyOf, missingOf, post, postAll, test } from '../support/world/gatewayTest.ts'

describe('Temporal cannot accept the signal', () => {
  test('unavailable: 503 and not ready; then ready again, and the repeated callback arrives', async ({
    open,
    flow,
  }) => {
    const relay = await startRelay(inject('temporal').address)
    const gateway = await open({ temporal: { address: relay.address } })
    await gateway.ready
    await relay.cut()
    const refused = await post(gateway, bodyOf(flow.caseNo))
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await missingOf(gateway)).toEqual(['temporal'])
    await relay.mend()
    await expect.poll(() => missingOf(gateway)).toEqual([])
    expect((await post(gateway, bodyOf(flow.caseNo))).status).toBe(204)
    expect(await flow.signals()).toHaveLength(1)
    expect(gateway.counts).toMatchObject({ unavailable: 1, signalled: 1 })
    await relay.cut()
  })

  test('slow: 503 after five seconds with one log line, and ready again once it answers', async ({
    open,
    flow,
    lines,
  }) => {
    const relay = await startRelay(inject('temporal').address)
    const gateway = await open({ temporal: { address: relay.address } })
    await gateway.ready
    relay.hold(flow.caseNo)
    const slowness = measureSlowness()
    const began = performance.now()
    const bodies = ['2026-01-01T00:00:00', '2026-01-01T00:00:01'].map(stateStart => bodyOf(flow.caseNo, { stateStart }))
    expect(await postAll(gateway, bodies)).toEqual([503, 503])
    expect(performance.now() - began).toBeGreaterThan(4_500)
    const logged = lines.filter(line => line.includes('callback-unavailable'))
    expect(logged).toHaveLength(1)
    expect(logged[0]).toContain(`Temporal could not be reached at ${relay.address}: gRPC 4: Deadline exceeded"`)
    expect(JSON.parse(logged[0] ?? '').durationMs).toBeGreaterThan(4_500)
    expect((performance.now() - began) / slowness()).toBeLessThan(8_000)
    expect(await missingOf(gateway)).toEqual(['temporal'])
    relay.release()
    await expect.poll(() => missingOf(gateway)).toEqual([])
    await relay.cut()
  })

  test('unavailable without callbacks: not ready, and ready again', async ({ open }) => {
    const relay = await startRelay(inject('temporal').address)
    const gateway = await open({ temporal: { address: relay.address }, probeInterval: 50 })
    await gateway.ready
    await relay.cut()
    await expect.poll(() => missingOf(gateway)).toEqual(['temporal'])
    await relay.mend()
    await expect.poll(() => missingOf(gateway)).toEqual([])
    expect(gateway.counts.unavailable).toBe(0)
    await relay.cut()
  })

  test('for one signal alone: 503, and ready while later signals succeed', async ({ open, flow, lines }) => {
    const stuck = Promise.withResolvers<void>()
    const broken = Promise.withResolvers<void>()
    let signals = 0
    const relay = await startGrpcRelay(inject('temporal').address, {
      async after(method) {
        // The first signal is the gateway's own probe.
        if (method !== 'SignalWorkflowExecution' || ++signals !== 2) return
        stuck.resolve()
        await broken.promise
      },
    })
    const gateway = await open({ temporal: { address: relay.address } })
    await gateway.ready
    const refused = post(gateway, bodyOf(flow.caseNo, { stateStart: '2026-01-01T00:00:00' }))
    await stuck.promise
    expect((await post(gateway, bodyOf(flow.caseNo))).status).toBe(204)
    broken.reject(new Error('broken by the test'))
    expect((await refused).status).toBe(503)
    expect(await missingOf(gateway)).toEqual([])
    expect(lines.filter(line => line.includes('Temporal available'))).toHaveLength(1)
    await gateway.stop()
    await relay.stop()
  })

  test('unavailable at the start: the gateway is alive, waits, and logs the address', async ({
    open,
    service,
    lines,
  }) => {
    const relay = await startRelay(inject('temporal').address)
    await relay.cut()
    const gateway = await open({ temporal: { address: relay.address } })
    await expect.poll(() => service.at('ConfigureCallback')).toHaveLength(1)
    expect((await fetch(`${gateway.address}/health/live`)).status).toBe(200)
    await expect.poll(() => missingOf(gateway)).toEqual(['temporal'])
    await expect.poll(() => lines.join('')).toContain(`Temporal could not be reached at ${relay.address}: gRPC 14`)
    const readiness = await (await fetch(`${gateway.address}/health/ready`)).text()
    expect(readiness).toContain('Temporal does not accept signals; the log line temporal-unavailable says why')
    expect(readiness).not.toContain(new URL(`http://${relay.address}`).port)
    await relay.mend()
    await gateway.ready
    expect(await missingOf(gateway)).toEqual([])
    await relay.cut()
  })

  test('the namespace does not exist: 503, never "no such flow"', async ({ open, lines }) => {
    const gateway = await open({ namespace: 'nowhere' })
    expect((await post(gateway, bodyOf('any-case'))).status).toBe(503)
    await expect.poll(() => missingOf(gateway)).toEqual(['namespace'])
    expect(await (await fetch(`${gateway.address}/health/ready`)).text()).not.toContain('nowhere')
    expect(lines.join('')).toContain("Namespace not found: 'nowhere'")
  })
})

/** Temporal's text about a flow that tried to end while a signal came. */
const closing = 'workflow operation can not be applied because workflow is closing'

describe('the gRPC status decides the response', () => {
  test.for([
    { grpc: 3, says: 'INVALID_ARGUMENT', status: 202, lacks: ['temporal'] },
    { grpc: 5, says: 'workflow not found for ID', status: 200, lacks: [] },
    { grpc: 5, says: 'Namespace nowhere is not found', status: 503, lacks: ['namespace'] },
    { grpc: 7, says: 'PERMISSION_DENIED', status: 503, lacks: ['permission'] },
    { grpc: 16, says: 'UNAUTHENTICATED', status: 503, lacks: ['permission'] },
    { grpc: 8, says: 'RESOURCE_EXHAUSTED', status: 503, lacks: ['temporal'] },
    { grpc: 8, says: 'namespace rate limit exceeded', status: 503, lacks: ['temporal'] },
    { grpc: 8, says: closing, status: 429, lacks: ['temporal'] },
    { grpc: 13, says: 'INTERNAL', status: 503, lacks: ['temporal'] },
    { grpc: 14, says: 'UNAVAILABLE', status: 503, lacks: ['temporal'] },
  ])('$says: $status, and the health check names $lacks', async ({ grpc, says, status, lacks }, { open }) => {
    const standIn = await startGrpcStandIn(grpc, says)
    const gateway = await open({ temporal: { address: standIn.address } })
    const response = await post(gateway, bodyOf('any-case'))
    expect(response.status).toBe(status)
    expect(response.headers.has('retry-after')).toBe(status >= 429)
    expect(gateway.rejected().map(({ reason }) => reason)).toEqual(status === 202 ? [`gRPC ${grpc}: ${says}`] : [])
    await expect.poll(() => missingOf(gateway)).toEqual(lacks)
    await gateway.stop()
    await standIn.stop()
  })
})
