import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { NativeConnection, Worker } from '@temporalio/worker'
import { describe, expect, inject } from 'vitest'
import { toWorkflowId } from '#flows'
import { bundleFlows } from '#worker'
import { heard, recorder } from '../support/servers/gatewayWorkflows.ts'
import { bodyOf, missingOf, post, privateText, signed, test } from '../support/world/gatewayTest.ts'
import { installTestRuntime } from '../support/world/runtime.ts'

describe('the signal to a flow', () => {
  test('has four fields and no personal data', async ({ gateway, flow, lines }) => {
    expect((await post(gateway, bodyOf(flow.caseNo))).status).toBe(204)
    expect(await flow.signals()).toEqual([
      { shipmentUid: 'S1', stateCode: 'ReadyForPickup', stateStart: '2026-01-02T03:04:05', pupUid: 'pup-1' },
    ])
    expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({
      outcome: 'signalled',
      caseNo: flow.caseNo,
      shipmentUid: 'S1',
    })
    expect(lines.join('')).not.toMatch(new RegExp(`${privateText}|U1|U2|R1`))
  })

  test('accepts keys in any casing, and fields and states of a later version', async ({ gateway, flow }) => {
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

  test('may begin with a byte order mark, which some services write', async ({ gateway, flow }) => {
    expect((await post(gateway, `\uFEFF${bodyOf(flow.caseNo)}`)).status).toBe(204)
    expect(await flow.signals()).toMatchObject([{ shipmentUid: 'S1' }])
  })

  test.for(['json', 'application/json, text/plain', ';'])(
    'may have the malformed content type %j, since the sender would repeat it for 30 days',
    async (type, { gateway, flow }) => {
      const body = bodyOf(flow.caseNo)
      expect((await post(gateway, body, { ...signed(body), 'content-type': type })).status).toBe(204)
      expect(await flow.signals()).toMatchObject([{ shipmentUid: 'S1' }])
    },
  )

  test('reaches a worker, and an ended flow is not an error', async ({ gateway, temporal }) => {
    installTestRuntime()
    const { address, namespace } = inject('temporal')
    const connection = await NativeConnection.connect({ address })
    const taskQueue = randomUUID()
    const worker = await Worker.create({
      connection,
      namespace,
      taskQueue,
      workflowBundle: await bundleFlows(
        fileURLToPath(new URL('../support/servers/gatewayWorkflows.ts', import.meta.url)),
      ),
    })
    await worker.runUntil(async () => {
      const caseNo = `Ä ${taskQueue}/2`
      const handle = await temporal.workflow.start(recorder, { workflowId: toWorkflowId(caseNo), taskQueue })
      expect((await post(gateway, bodyOf(caseNo))).status).toBe(204)
      expect(await handle.query(heard)).toMatchObject([{ stateCode: 'ReadyForPickup' }])
      expect((await post(gateway, bodyOf(caseNo, { stateCode: 'Completed' }))).status).toBe(204)
      expect(await handle.result()).toHaveLength(2)

      const late = await post(gateway, bodyOf(caseNo, { stateCode: 'Cancelled' }))
      expect(late.status).toBe(200)
      expect(await late.json()).toEqual({ outcome: 'noFlow' })
    })
    await connection.close()
    expect(gateway.counts).toMatchObject({ signalled: 2, noFlow: 1, rejected: 0 })
  })
})

test('a callback for an unknown case whose number has the word namespace is one for an unknown case', async ({
  gateway,
}) => {
  expect((await post(gateway, bodyOf('Namespace-1'))).status).toBe(200)
  expect(gateway.counts).toMatchObject({ noFlow: 1, unavailable: 0 })
})

test('a callback for an unknown case is not an error', async ({ gateway, lines }) => {
  expect((await post(gateway, bodyOf('nobody-started-this'))).status).toBe(200)
  expect(gateway.counts.noFlow).toBe(1)
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ outcome: 'noFlow', caseNo: 'nobody-started-this' })
  expect(await missingOf(gateway)).toEqual([])
})

const long = (bytes: number) => bodyOf('any-case', { description: `${privateText}${' '.repeat(bytes)}` })
const never: Record<string, { body: string; reason: string }> = {
  'no JSON': { body: '{"messageType":', reason: 'not JSON' },
  'nothing at all': { body: '', reason: 'not JSON' },
  'brackets without end': { body: '['.repeat(50_000), reason: 'not JSON' },
  'no object': { body: '[]', reason: 'invalid: body' },
  'an unknown messageType': {
    body: bodyOf('any-case').replace('ShipmentStatusUpdate', 'LockerStatusUpdate'),
    reason: 'unknown messageType',
  },
  'a field of another type': {
    body: bodyOf('any-case').replace('"stateCode":"ReadyForPickup"', '"stateCode":7'),
    reason: 'invalid: message.stateCode',
  },
  'no case number': { body: bodyOf(null), reason: 'no case number' },
  'an invalid case number': { body: bodyOf('x'.repeat(61)), reason: 'invalid case number' },
  'a case number that no path can have': { body: bodyOf('..'), reason: 'invalid case number' },
  'a case number with a lone surrogate': { body: bodyOf('x\ud800'), reason: 'invalid case number' },
  'over 64 KiB': { body: long(65 * 1024), reason: 'over 64 KiB' },
  'over 8 MiB': { body: long(8 * 1024 * 1024), reason: 'over 64 KiB' },
}

describe('a callback that stays invalid when it is repeated gets 2xx and is listed as rejected', () => {
  for (const [name, { body, reason }] of Object.entries(never)) {
    test(name, async ({ gateway, lines }) => {
      expect((await post(gateway, body)).status).toBe(202)
      expect(gateway.counts).toMatchObject({ rejected: 1, signalled: 0, invalidSignature: 0 })
      expect(gateway.rejected()).toMatchObject([{ reason, webhookId: 'msg-1', bytes: Buffer.byteLength(body) }])
      expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'callback rejected', outcome: 'rejected', reason })
      expect(lines.join('') + JSON.stringify(gateway.rejected())).not.toContain(privateText)
    })
  }

  test('unless its signature is invalid', async ({ gateway }) => {
    const body = long(65 * 1024)
    expect((await post(gateway, body, signed(`${body} `))).status).toBe(401)
    expect(gateway.rejected()).toEqual([])
  })

  test('and the number of records is bounded', async ({ gateway, lines }) => {
    const bodies = Array.from({ length: 120 }, (_, index) => bodyOf(null, { shipmentUid: `S${index}` }))
    for (const body of bodies) await post(gateway, body)
    expect(gateway.counts.rejected).toBe(120)
    // The log has each of them.
    expect(lines.filter(line => line.includes('"outcome":"rejected"'))).toHaveLength(120)
    expect(gateway.rejected()).toHaveLength(100)
    expect(gateway.rejected().at(-1)).toMatchObject({ shipmentUid: 'S119' })
  })
})
