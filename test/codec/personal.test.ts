import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import { afterAll, expect, test } from 'vitest'
import { createFlowClient } from '#client'
import { createDataConverter, openPersonalKeys, type PersonalKeys } from '#codec'
import { toWorkflowId } from '#flows'
import { replay } from '#worker'
import { converterOf, newKey, ringOf } from '../support/codec/keys.ts'
import { payloadsIn } from '../support/codec/payloads.ts'
import { pass } from '../support/wire.ts'
import { bundle } from '../support/world/bundle.ts'
import { useWorld } from '../support/world/useWorld.ts'

const folder = mkdtempSync(join(tmpdir(), 'lockerflow-personal-'))
const databaseUrl = `file:${join(folder, 'service.db')}`
const entry = newKey('2026-12')
const opened: PersonalKeys[] = []

/** The data converter of a new process: its cache of personal keys is empty. */
function newConverter(): DataConverter {
  const keys = openPersonalKeys(databaseUrl, ringOf(entry))
  opened.push(keys)
  return createDataConverter(ringOf(entry), keys)
}

// Before the hooks of the world, since hooks run in reverse.
afterAll(async () => {
  for (const keys of opened) await keys.close()
  rmSync(folder, { recursive: true, force: true })
})

const world = useWorld({ service: { databaseUrl }, dataConverter: newConverter() })

const request = () => ({
  emailAddress: `kim-${randomUUID()}@home.example`,
  firstName: 'Kimberly',
  lastName: 'Keeper',
  streetName: 'Canal Road',
  streetNo: '17',
  city: 'Delft',
  pickUpPointUid: 'pup-1',
})

async function historyOf(caseNo: string) {
  return world.client.workflow.getHandle(toWorkflowId(caseNo)).fetchHistory()
}

/** All payloads of a history as a reader sees them. */
async function shown(caseNo: string, { payloadCodecs = [] }: DataConverter): Promise<string> {
  let payloads = payloadsIn(await historyOf(caseNo))
  for (const codec of payloadCodecs.toReversed()) payloads = await codec.decode(payloads)
  return payloads.map(({ data }) => Buffer.from(data ?? []).toString()).join('\n')
}

test('RemoveAccount makes names and addresses in old histories unreadable, and the histories still replay', async () => {
  const caseNo = world.newCase(0)
  const person = request()
  await world.flows.start('onboardAccount', { caseNo, request: person })
  const ended = await world.flows.result(caseNo)
  expect(ended).toMatchObject({ kind: 'Ended', result: { firstName: 'Kimberly', emailAddress: person.emailAddress } })
  const personal = [person.emailAddress, 'Kimberly', 'Keeper', 'Canal Road', 'Delft']
  const before = await shown(caseNo, newConverter())
  for (const text of personal) expect(before).toContain(text)
  // The ring alone never shows them.
  const ringOnly = await shown(caseNo, converterOf(entry))
  for (const text of personal) expect(ringOnly).not.toContain(text)

  const userUid = ended.kind === 'Ended' ? String((ended.result as unknown as { userUid: string }).userUid) : ''
  await world.api.call('RemoveAccount', { userUid })
  const after = await shown(caseNo, newConverter())
  for (const text of personal) expect(after).not.toContain(text)
  expect(after).toContain('[removed]')
  const reader = createFlowClient(
    new Client({
      connection: world.client.connection,
      namespace: world.client.options.namespace,
      dataConverter: newConverter(),
    }),
  )
  expect(await reader.result(caseNo)).toMatchObject({
    result: { userUid, firstName: '[removed]', mainPupUid: 'pup-1' },
  })
  const histories = [{ workflowId: caseNo, history: await historyOf(caseNo) }]
  expect(await replay(await bundle(), histories, newConverter())).toEqual([])
  expect(await replay(await bundle(), histories, converterOf(entry))).toEqual([])
})

test('a running flow whose account is removed ends with the refusal of the service', async () => {
  const caseNo = world.newCase(0)
  const person = request()
  const { userUid } = await world.api.call('CreateOrGetAccount', { ...person, pickUpPointUid: 'pup-2' })
  if (userUid === null) throw new Error('no account')
  // The flow finds the account, and cannot set its pick up point for now.
  world.toService.rule = ({ path }) => (path.endsWith('/SetAccountPickUpPoint') ? { kind: 'cut' } : pass)
  await world.flows.start('onboardAccount', { caseNo, request: person })
  await world.statusWhen(caseNo, ({ stage }) => stage === 'pickUpPoint')
  await world.api.call('RemoveAccount', { userUid })
  // A new worker has neither the flow nor the key in memory, and replays the history.
  await world.restartWorker({ dataConverter: newConverter() })
  world.toService.rule = () => pass
  expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Refused', code: 'InvalidUserUid' })
})
