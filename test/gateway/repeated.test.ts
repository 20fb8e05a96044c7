import { describe, expect, inject } from 'vitest'
import { uidSignature } from '#contract'
import { fullProfile } from '#contract/terms'
import { signalLimit } from '../../gateway/limitedSignals.ts'
import { startRelay } from '../support/servers/relay.ts'
import { bodyOf, keys, post, postAll, signed, test } from '../support/world/gatewayTest.ts'

const uidSignatureOnly = { ...fullProfile, standardWebhooks: false }
const uidSigned = { 'x-hmac': uidSignature(keys.current, 'S1') }

describe('a message is signalled once', () => {
  test('of 500 copies that arrive together', async ({ gateway, flow }) => {
    const body = bodyOf(flow.caseNo)
    const headers = signed(body)
    const responses = await Promise.all(Array.from({ length: 500 }, () => post(gateway, body, headers)))
    const statuses = responses.map(({ status }) => status)
    expect(statuses.filter(status => status === 204)).toHaveLength(1)
    expect(statuses.filter(status => status === 200)).toHaveLength(499)
    expect(gateway.counts).toMatchObject({ signalled: 1, repeated: 499, limited: 0 })
    expect(await flow.signals()).toHaveLength(1)
  })

  test('also when it is signed again later', async ({ gateway, flow }) => {
    const body = bodyOf(flow.caseNo)
    const now = Math.floor(Date.now() / 1_000)
    for (const at of [now - 60, now - 30, now]) await post(gateway, body, signed(body, { at }))
    expect(await flow.signals()).toHaveLength(1)
  })

  test('by each gateway', async ({ open, flow }) => {
    const body = bodyOf(flow.caseNo)
    for (const gateway of [await open(), await open()]) {
      for (let times = 0; times < 5; times++) await post(gateway, body)
    }
    expect(await flow.signals()).toHaveLength(2)
  })

  test('if Temporal accepted it: a signal that failed can be repeated', async ({ open, flow }) => {
    const relay = await startRelay(inject('temporal').address)
    const gateway = await open({ temporal: { address: relay.address } })
    await gateway.ready
    await relay.cut()
    const body = bodyOf(flow.caseNo)
    expect((await post(gateway, body)).status).toBe(503)
    await relay.mend()
    await expect.poll(async () => (await post(gateway, body)).status).toBe(204)
    expect((await post(gateway, body)).status).toBe(200)
    expect(await flow.signals()).toHaveLength(1)
    await relay.cut()
  })

  test('if Temporal accepted it: a copy that waits for a signal that fails is to be repeated too', async ({
    open,
    flow,
  }) => {
    const relay = await startRelay(inject('temporal').address)
    const gateway = await open({ temporal: { address: relay.address } })
    await gateway.ready
    relay.hold(flow.caseNo)
    const body = bodyOf(flow.caseNo)
    const copies = await Promise.all([post(gateway, body), post(gateway, body), post(gateway, body)])
    expect(copies.map(({ status }) => status)).toEqual([503, 503, 503])
    relay.release()
    await expect.poll(async () => (await post(gateway, body)).status).toBe(204)
    await relay.cut()
  })

  test('unless its id or its body differs', async ({ gateway, flow }) => {
    const [body, other] = [bodyOf(flow.caseNo), bodyOf(flow.caseNo, { stateCode: 'Completed' })]
    await post(gateway, body)
    await post(gateway, body, signed(body, { id: 'msg-2' }))
    await post(gateway, other)
    expect(await flow.signals()).toHaveLength(3)
  })

  test('and a forged copy does not count as one', async ({ gateway, flow }) => {
    const body = bodyOf(flow.caseNo)
    expect((await post(gateway, body, signed(body, { by: ['a-guessed-key'] }))).status).toBe(401)
    expect((await post(gateway, body)).status).toBe(204)
    expect((await post(gateway, body, signed(body, { by: ['a-guessed-key'] }))).status).toBe(401)
  })

  test('by its body when the service has only the uid signature, whatever id the sender writes', async ({
    open,
    flow,
  }) => {
    const gateway = await open({ profile: uidSignatureOnly })
    for (const id of ['msg-1', 'msg-2', 'msg-3']) {
      await post(gateway, bodyOf(flow.caseNo), { ...uidSigned, 'webhook-id': id })
    }
    expect(await flow.signals()).toHaveLength(1)
  })
})

describe('a case gets a limited number of signals', () => {
  const { burst } = signalLimit
  const times = Array.from({ length: burst + 10 }, (_, index) => `2026-01-02T03:04:05.${100 + index}`)

  test('and the service repeats the others, without an effect on other cases', async ({ gateway, flow, lines }) => {
    const bodies = times.map(stateStart => bodyOf(flow.caseNo, { stateStart }))
    const statuses = await postAll(gateway, bodies)
    expect(statuses.filter(status => status === 204)).toHaveLength(burst)
    const limited = await post(gateway, bodies[statuses.indexOf(429)] ?? '')
    expect(limited.status).toBe(429)
    // The suppressed ones get a line after ten seconds.
    expect(lines.filter(line => line.includes('"outcome":"limited"'))).toHaveLength(1)
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(limited.headers.get('retry-after'))).toBeLessThanOrEqual(30)
    expect(await flow.signals()).toHaveLength(burst)
    expect((await fetch(`${gateway.address}/health/ready`)).status).toBe(200)
    expect((await post(gateway, bodyOf('another-case', { shipmentUid: 'S2' }))).status).toBe(200)
  })

  test('also with many shipments', async ({ gateway, flow }) => {
    const bodies = times.map((_, index) => bodyOf(flow.caseNo, { shipmentUid: `S${index}` }))
    await postAll(gateway, bodies)
    expect(gateway.counts).toMatchObject({ signalled: burst, limited: 10 })
    expect(await flow.signals()).toHaveLength(burst)
  })

  test('and so does a shipment, because its uid signature is valid for any case', async ({ open, flow }) => {
    const gateway = await open({ profile: uidSignatureOnly })
    const bodies = times.map((_, index) => bodyOf(`made-up-${index}`))
    await postAll(gateway, bodies, () => uidSigned)
    expect(gateway.counts).toMatchObject({ noFlow: burst, limited: 10 })
    expect((await post(gateway, bodyOf(flow.caseNo), uidSigned)).status).toBe(429)
    const headers = { 'x-hmac': uidSignature(keys.current, 'S2') }
    expect((await post(gateway, bodyOf(flow.caseNo, { shipmentUid: 'S2' }), headers)).status).toBe(204)
  })
})
