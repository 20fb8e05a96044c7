import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@temporalio/client'
import type { DataConverter } from '@temporalio/common'
import { afterAll, describe, expect, test } from 'vitest'
import { createFlowClient } from '#client'
import { type FlowDeclaration, toWorkflowId } from '#flows'
import { createDataConverter, openPersonalKeys, type PersonalKeys } from '#platform/codec'
import { replay } from '#worker'
import { readEnvironment as readGateway } from '../../../gateway/environment.ts'
import { converterOf, newKey, ringOf } from '../../support/codec/keys.ts'
import { payloadsIn } from '../../support/codec/payloads.ts'
import { runVerb } from '../../support/command.ts'
import { callsOf, useFlowApi } from '../../support/flowApi/useFlowApi.ts'
import { pass } from '../../support/wire.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { bundle } from '../../support/world/bundle.ts'
import { useWorld } from '../../support/world/useWorld.ts'

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
const flowApi = useFlowApi(world)

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

/** Asserts that a history shows a person by the key alone, and no longer when the account is removed. Returns its uid. */
async function expectForgotten(caseNo: string, { emailAddress }: ReturnType<typeof request>): Promise<string> {
  const personal = [emailAddress, 'Kimberly', 'Keeper', 'Canal Road', 'Delft']
  const ended = await world.flows.result(caseNo)
  expect(ended).toMatchObject({ kind: 'Ended', result: { firstName: 'Kimberly', emailAddress } })
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
  return userUid
}

test('RemoveAccount makes names and addresses in old histories unreadable, and the histories still replay', async () => {
  const caseNo = world.newCase(0)
  const person = request()
  await world.flows.start('onboardAccount', { caseNo, request: person })
  const userUid = await expectForgotten(caseNo, person)
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

test('RemoveAccount of another tenant makes the start of a flow unreadable, whose responses never had the address', async () => {
  const person = request()
  const { userUid } = await world.call('CreateAccount', { ...person, pickUpPointUid: 'pup-3' }, 'globex')
  if (userUid === null) throw new Error('no account')
  const caseNo = world.newCase(0)
  await world.flows.start('onboardAccount', { caseNo, request: person })
  expect(await world.flows.result(caseNo)).toMatchObject({ kind: 'Ended', result: { userUid, emailAddress: null } })
  expect(await shown(caseNo, newConverter())).toContain(person.emailAddress)
  expect(await world.call('RemoveAccount', { userUid }, 'globex')).toMatchObject({ success: true })
  const after = await shown(caseNo, newConverter())
  for (const text of [person.emailAddress, 'Kimberly', 'Canal Road']) expect(after).not.toContain(text)
})

describe('a start', () => {
  const withKeys = { LOCKERFLOW_CODEC_KEYS: entry, LOCKERFLOW_PERSONAL_KEYS_URL: databaseUrl }
  const withoutKeys = { LOCKERFLOW_CODEC_KEYS: entry }
  const refusal =
    'LOCKERFLOW_PERSONAL_KEYS_URL: must be set, or be off, to encrypt the personal fields emailAddress, firstName, lastName, streetName, streetNo, city.'

  /** Calls of a gateway's listener with these settings. */
  async function gatewayWith(variables: NodeJS.ProcessEnv) {
    const none = { TEMPORAL_CONFIG_FILE: join(folder, 'none.toml') }
    writeFileSync(none.TEMPORAL_CONFIG_FILE, '[profile.default]\n')
    const { dataConverter } = readGateway({ ...none, ...variables }, folder)
    const { address } = await flowApi.open(dataConverter === undefined ? {} : { dataConverter })
    return callsOf(address, await flowApi.issuer.token())
  }

  function command(variables: NodeJS.ProcessEnv, caseNo: string, flow: string, given: object) {
    const file = join(folder, `${caseNo}.json`)
    writeFileSync(file, JSON.stringify(given))
    const { options } = world.client.connection as unknown as { readonly options: { readonly address: string } }
    return runVerb(['flow', 'start', flow, '--case', caseNo, '--request', file], {
      ...variables,
      TEMPORAL_ADDRESS: options.address,
      TEMPORAL_NAMESPACE: world.client.options.namespace,
      LOCKERFLOW_TASK_QUEUE: world.taskQueue,
    })
  }

  test('over HTTP is forgotten too', async () => {
    const [caseNo, person] = [world.newCase(0), request()]
    const call = await gatewayWith(withKeys)
    const started = await call('POST', '/flows/onboardAccount', { caseNo, request: person })
    expect(started).toMatchObject({ status: 202, body: { kind: 'Started' } })
    await expectForgotten(caseNo, person)
  })

  test('by the command is forgotten too', async () => {
    const [caseNo, person] = [world.newCase(0), request()]
    expect(await command(withKeys, caseNo, 'onboardAccount', person)).toMatchObject({ code: 0 })
    await expectForgotten(caseNo, person)
  })

  test('over HTTP without the keys is refused with the name of the setting, and that of a booking is not', async () => {
    const call = await gatewayWith(withoutKeys)
    const caseNo = `T-${randomUUID()}`
    for (const wait of ['', '?wait=booked', '?wait=end']) {
      const refused = await call('POST', `/flows/onboardAccount${wait}`, { caseNo, request: request() })
      expect(refused).toMatchObject({ status: 500, body: { code: 'InternalError' } })
      expect(refused.body.message).toContain(refusal)
    }
    expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'UnknownCase' })
    const booked = world.newCase()
    const started = await call('POST', '/flows/stock?wait=booked', { caseNo: booked, request: parcel })
    expect(started).toMatchObject({ status: 200, body: { kind: 'Booked' } })
    await world.flows.cancel(booked, 'over')
  })

  test('by the command without the keys is refused with the name of the setting', async () => {
    const caseNo = `T-${randomUUID()}`
    expect(await command(withoutKeys, caseNo, 'onboardAccount', request())).toMatchObject({
      code: 2,
      failure: { code: 'InvalidSettings', message: expect.stringContaining(refusal) },
    })
    expect(await world.flows.status(caseNo)).toMatchObject({ kind: 'UnknownCase' })
  })

  test('encrypts with the ring alone where the settings say so', async () => {
    const [caseNo, person] = [world.newCase(0), request()]
    const off = { ...withoutKeys, LOCKERFLOW_PERSONAL_KEYS_URL: 'off' }
    expect(await command(off, caseNo, 'onboardAccount', person)).toMatchObject({ code: 0 })
    await world.flows.result(caseNo)
    expect(await shown(caseNo, converterOf(entry))).toContain(person.emailAddress)
  })
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

/** Personal fields of types that `[removed]` does not have, in an answer, in a result, and in a condition. */
const move = {
  name: 'move',
  summary: 'A person moves to another address.',
  steps: [
    {
      name: 'address',
      summary: 'The person names the address.',
      ask: { given: { emailAddress: 'text', streetNo: 'integer', countryCode: ['DE', 'NL'] } },
      who: 'person',
      window: null,
    },
    {
      name: 'findMailbox',
      summary: 'The mailbox is looked up.',
      run: 'findMailbox',
      timeout: '1m',
      with: { caseNo: { from: 'address.countryCode' } },
      keep: { mailbox: 'integer' },
      undo: 'nothing',
    },
    { name: 'confirmed', summary: 'The person confirms.', ask: { yes: {} }, who: 'person', window: null },
  ],
} as const satisfies FlowDeclaration

test('a flow whose declaration checks personal fields replays after they are removed', async () => {
  const findMailbox = async () => ({ mailbox: 12 })
  await world.restartWorker({ flows: [move], activities: { findMailbox } })
  const caseNo = world.newCase(0)
  const flows = createFlowClient(world.client, { taskQueue: world.taskQueue, flows: [move] })
  await flows.start('move', { caseNo, request: {} as never })
  await world.statusWhen(caseNo, ({ stage }) => stage === 'address')
  const emailAddress = `kim-${randomUUID()}@home.example`
  const fields = { emailAddress, streetNo: 17, countryCode: 'NL' } as const
  expect(await flows.answer(caseNo, { step: 'address', answer: 'given', fields })).toMatchObject({ kind: 'Answered' })
  await world.statusWhen(caseNo, ({ stage }) => stage === 'confirmed')
  const histories = [{ workflowId: caseNo, history: await historyOf(caseNo) }]
  expect(await replay(await bundle(), histories, newConverter())).toEqual([])
  expect(await replay(await bundle(), histories, converterOf(entry))).toEqual([])
  await flows.answer(caseNo, { step: 'confirmed', answer: 'yes' })
  expect(await flows.result(caseNo)).toMatchObject({ kind: 'Ended' })
})

const relocate = {
  name: 'relocate',
  summary: 'An account gets another address.',
  input: { userUid: 'uid', streetName: 'text', streetNo: 'text', city: 'text' },
  steps: [
    {
      name: 'address',
      summary: 'The address is set.',
      call: 'SetAccountDetails',
      request: {
        userUid: { from: 'input.userUid' },
        streetName: { from: 'input.streetName' },
        streetNo: { from: 'input.streetNo' },
        mailbox: 'B',
        city: { from: 'input.city' },
        countryCode: 'NL',
      },
      keep: ['firstName'],
    },
  ],
  outputs: { firstName: 'address.firstName' },
} as const satisfies FlowDeclaration

test('RemoveAccount makes the fields of payloads unreadable that name the account by its uid alone', async () => {
  await world.restartWorker({ flows: [relocate] })
  const caseNo = world.newCase(0)
  const { userUid } = await world.api.call('CreateOrGetAccount', { ...request(), pickUpPointUid: 'pup-2' })
  if (userUid === null) throw new Error('no account')
  const flows = createFlowClient(world.client, { taskQueue: world.taskQueue, flows: [relocate] })
  const address = { streetName: 'Harbour Lane', streetNo: '3', city: 'Delft' }
  await flows.start('relocate', { caseNo, request: { userUid, ...address } })
  expect(await flows.result(caseNo)).toMatchObject({ kind: 'Ended', result: { firstName: 'Kimberly' } })
  expect(await shown(caseNo, newConverter())).toContain('Harbour Lane')
  await world.api.call('RemoveAccount', { userUid })
  expect(await shown(caseNo, newConverter())).not.toContain('Harbour Lane')
})
