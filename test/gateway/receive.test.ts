import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { NativeConnection, Worker } from '@temporalio/worker'
import { describe, expect, inject } from 'vitest'
import { workflowIdOf } from '#contract/terms'
import { bundleFlows, installRuntime } from '#worker'
import { bodyOf, isReady, post, privateText, signed, test } from './fixture.ts'
import { heard, recorder } from './workflows.ts'

describe('what a flow is told', () => {
  test('four fields and nothing personal', async ({ gateway, flow, lines }) => {
    expect((await post(gateway, bodyOf(flow.caseNo))).status).toBe(204)
    expect(await flow.signals()).toEqual([
      { shipmentUid: 'S1', stateCode: 'ReadyForPickup', stateStart: '2026-01-02T03:04:05', pupUid: 'pup-1' },
    ])
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ outcome: 'signalled', case: flow.caseNo, shipmentUid: 'S1' })
    expect(lines.join('')).not.toMatch(new RegExp(`${privateText}|U1|U2|R1`))
  })

  test('keys in any casing, fields of a later version, a state of a later version', async ({ gateway, flow }) => {
    const { message } = JSON.parse(bodyOf(flow.caseNo, { stateCode: 'OnTheMoon' }))
    const body = JSON.stringify({
      MessageType: 'ShipmentStatusUpdate',
      Message: Object.fromEntries(
        Object.entries({ ...message, more: 1 }).map(([key, value]) => [key.toUpperCase(), value]),
      ),
    })
    expect((await post(gateway, body)).status).toBe(204)
    expect(await flow.signals()).toMatchObject([{ shipmentUid: 'S1', stateCode: 'OnTheMoon' }])
  })

  test('a worker hears it, and a flow that has ended is no fault', async ({ gateway, temporal }) => {
    installRuntime()
    const { address, namespace } = inject('temporal')
    const connection = await NativeConnection.connect({ address })
    const taskQueue = randomUUID()
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue,
      workflowBundle: await bundleFlows(fileURLToPath(new URL('workflows.ts', import.meta.url))),
    })
    await worker.runUntil(async () => {
      const caseNo = `Ä ${taskQueue}/2`
      const handle = await temporal.workflow.start(recorder, { workflowId: workflowIdOf(caseNo), taskQueue })
      expect((await post(gateway, bodyOf(caseNo))).status).toBe(204)
      expect(await handle.query(heard)).toMatchObject([{ stateCode: 'ReadyForPickup' }])
      expect((await post(gateway, bodyOf(caseNo, { stateCode: 'Completed' }))).status).toBe(204)
      expect(await handle.result()).toHaveLength(2)

      const late = await post(gateway, bodyOf(caseNo))
      expect(late.status).toBe(200)
      expect(await late.json()).toEqual({ outcome: 'noFlow' })
    })
    await connection.close()
    expect(gateway.counts).toMatchObject({ signalled: 2, noFlow: 1, aside: 0 })
  })
})

test('a case that nobody has started is no fault', async ({ gateway, lines }) => {
  expect((await post(gateway, bodyOf('nobody-started-this'))).status).toBe(200)
  expect(gateway.counts.noFlow).toBe(1)
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ outcome: 'noFlow', case: 'nobody-started-this' })
  expect(await isReady(gateway)).toBe(true)
})

const long = (bytes: number) => bodyOf('any-case', { description: `${privateText}${' '.repeat(bytes)}` })
const never: Record<string, { body: string; why: string }> = {
  'no JSON': { body: '{"messageType":', why: 'not JSON' },
  'nothing at all': { body: '', why: 'not JSON' },
  'brackets without end': { body: '['.repeat(50_000), why: 'not JSON' },
  'no object': { body: '[]', why: 'invalid: body' },
  'an unknown messageType': {
    body: bodyOf('any-case').replace('ShipmentStatusUpdate', 'LockerStatusUpdate'),
    why: 'unknown messageType',
  },
  'a field of another type': {
    body: bodyOf('any-case').replace('"stateCode":"ReadyForPickup"', '"stateCode":7'),
    why: 'invalid: message.stateCode',
  },
  'no case number': { body: bodyOf(null), why: 'no case number' },
  'a case number that is none of ours': { body: bodyOf('x'.repeat(61)), why: 'not one of our case numbers' },
  'over 64 KiB': { body: long(65 * 1024), why: 'over 64 KiB' },
  'over 1 MiB': { body: long(1_100 * 1024), why: 'too long for its signature to be checked' },
  'over 8 MiB': { body: long(8 * 1024 * 1024), why: 'too long for its signature to be checked' },
}

describe('what can never be accepted is answered 2xx and kept aside', () => {
  for (const [name, { body, why }] of Object.entries(never)) {
    test(name, async ({ gateway, lines }) => {
      expect((await post(gateway, body)).status).toBe(202)
      expect(gateway.counts).toMatchObject({ aside: 1, signalled: 0, forged: 0 })
      expect(gateway.aside()).toMatchObject([{ why, webhookId: 'msg-1', bytes: Buffer.byteLength(body) }])
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ outcome: 'aside', why })
      expect(lines.join('') + JSON.stringify(gateway.aside())).not.toContain(privateText)
    })
  }

  test('unless it is forged', async ({ gateway }) => {
    const body = long(65 * 1024)
    expect((await post(gateway, body, signed(`${body} `))).status).toBe(401)
    expect(gateway.aside()).toEqual([])
  })

  test('and the memory of it is bounded', async ({ gateway }) => {
    const bodies = Array.from({ length: 120 }, (_, index) => bodyOf(null, { shipmentUid: `S${index}` }))
    for (const body of bodies) await post(gateway, body)
    expect(gateway.counts.aside).toBe(120)
    expect(gateway.aside()).toHaveLength(100)
    expect(gateway.aside().at(-1)).toMatchObject({ shipmentUid: 'S119' })
  })
})
