import { randomUUID } from 'node:crypto'
import { Client, Connection, type WorkflowHandle } from '@temporalio/client'
import { afterAll, beforeAll, expect } from 'vitest'
import { toWorkflowId } from '#flows'
import { bodyOf, missingOf, post, test } from '../support/world/gatewayTest.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'

/** Signals that Temporal accepts for one run, and 10,000 by default. */
const limit = 2
const temporal = useOwnTemporal([`history.maximumSignalsPerExecution=${limit}`])
let connection: Connection

beforeAll(async () => {
  connection = await Connection.connect({ address: temporal().address })
})
afterAll(() => connection.close())

function start(workflowId: string): Promise<WorkflowHandle> {
  const client = new Client({ connection, namespace: temporal().namespace })
  return client.workflow.start('recorder', { workflowId, taskQueue: 'without-worker' })
}

test('a callback of a flow whose run takes no more signals is repeated, and reaches its next run', async ({ open }) => {
  const caseNo = randomUUID()
  const { address, namespace } = temporal()
  const gateway = await open({ temporal: { address }, namespace })
  const full = await start(toWorkflowId(caseNo))
  const send = (stateStart: string) => post(gateway, bodyOf(caseNo, { stateStart }))
  for (let sent = 0; sent < limit; sent++) expect((await send(`2026-01-01T00:00:0${sent}`)).status).toBe(204)
  const refused = await send('2026-01-02T00:00:00')
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(gateway.rejected()).toEqual([])
  expect(await missingOf(gateway)).toEqual([])
  await full.terminate()
  const next = await start(toWorkflowId(caseNo))
  expect((await send('2026-01-02T00:00:00')).status).toBe(204)
  await next.terminate()
})
