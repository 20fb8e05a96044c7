import protos from '@temporalio/proto'
import { afterAll, beforeAll, expect, expectTypeOf, test, vi } from 'vitest'
import type { BookedFlow, StartFlowInput } from '#client/nexus'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { converterOf, newKey } from '../../support/codec/keys.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import { type CallerNamespace, startCallerNamespace } from '../../support/nexus/callerNamespace.ts'
import { linkedFrom } from '../../support/nexus/links.ts'
import { parcel } from '../../support/world/apiWorld.ts'
import { bundle } from '../../support/world/bundle.ts'

const { temporal } = protos

/** A flow of a team's own. */
const deposit = {
  name: 'deposit',
  summary: 'An item is put into a locker.',
  input: { pickUpPointUid: 'uid' },
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsStock',
      request: { ...parcel, PupUid: { from: 'input.pickUpPointUid' } },
    },
    {
      name: 'put',
      summary: 'The item is put in.',
      wait: { stock: 'WaitForReceiver' },
      window: '1d',
      onTimeout: 'cancel',
    },
  ],
} as const satisfies FlowDeclaration

const dataConverter = converterOf(newKey('2026-12'))
let builds: Builds
let caller: CallerNamespace

beforeAll(async () => {
  builds = await createBuilds({ dataConverter })
  await startBuild('one')
  await promote('one')
  caller = await startCallerNamespace(builds.world.taskQueue, dataConverter)
})
afterAll(() => Promise.all([caller.stop(), builds.stop()]))

async function startBuild(buildId: string): Promise<void> {
  await builds.start(buildId, await bundle(), { flows: [deposit] })
}

async function promote(buildId: string): Promise<void> {
  await vi.waitFor(async () => {
    expect((await builds.promote(buildId, await bundle())).objections).toEqual([])
  })
}

async function bookStock(): Promise<string> {
  const caseNo = builds.world.newCase()
  const booked = await caller.call('book', { flow: 'stock', caseNo, request: parcel })
  expect(booked).toMatchObject({ result: { caseNo, shipments: [{ role: 'stock' }] } })
  return caseNo
}

test('a custom flow is booked, read and cancelled by its name and case number', async () => {
  const caseNo = builds.world.newCase()
  const input: StartFlowInput<typeof deposit> = { flow: 'deposit', caseNo, request: { pickUpPointUid: 'pup-1' } }
  expectTypeOf<Extract<BookedFlow<typeof deposit>['shipments'][number], { role: string }>['role']>().toBeString()
  // @ts-expect-error the declaration has no such field
  const wrong: StartFlowInput<typeof deposit> = { flow: 'deposit', caseNo, request: { pupUid: 'pup-1' } }
  expect(await caller.call('book', { ...wrong, caseNo: builds.world.newCase(0) })).toMatchObject({
    code: 'InvalidFlowInput',
    message: expect.stringContaining('pickUpPointUid'),
  })
  expect(await caller.call('book', input)).toMatchObject({
    result: { flow: 'deposit', shipments: [{ role: 'stock' }] },
  })
  expect(await caller.call('status', { caseNo })).toMatchObject({ result: { flow: 'deposit', caseNo } })
  expect(await caller.call('cancel', { caseNo, reason: 'over' })).toMatchObject({ result: { outcome: 'cancelled' } })
})

test('operations go to the current build, and to another one when it is promoted', async () => {
  const before = await bookStock()
  expect(await builds.whereIs(before)).toMatchObject({ buildId: 'one' })
  await startBuild('two')
  const meanwhile = await bookStock()
  expect(await builds.whereIs(meanwhile)).toMatchObject({ buildId: 'one' })
  await promote('two')
  const after = await bookStock()
  expect(await builds.whereIs(after)).toMatchObject({ buildId: 'two' })
  for (const caseNo of [before, meanwhile, after])
    expect(await caller.call('cancel', { caseNo, reason: 'over' })).toMatchObject({ result: { outcome: 'cancelled' } })
})

test('with encryption, neither history has the request as text, and both have links', async () => {
  const caseNo = builds.world.newCase()
  const handle = await caller.start('start', { flow: 'stock', caseNo, request: parcel })
  await builds.world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
  await handle.cancel()
  expect(await handle.result()).toMatchObject({ result: { outcome: 'cancelled' } })
  const flow = builds.world.client.workflow.getHandle(toWorkflowId(caseNo))
  for (const each of [handle, flow]) {
    const bytes = Buffer.from(temporal.api.history.v1.History.encode(await each.fetchHistory()).finish())
    expect(bytes.includes('binary/encrypted')).toBe(true)
    expect(bytes.includes('AllowLargerLockers')).toBe(false)
  }
  expect(await linkedFrom(handle)).toEqual([`${builds.world.client.options.namespace} ${flow.workflowId}`])
  expect(await linkedFrom(flow)).toEqual([`${caller.namespace} ${handle.workflowId}`])
})

test('a refusal has its code under encryption too', async () => {
  const input = { flow: 'stock', caseNo: builds.world.newCase(0), request: { ...parcel, PupUid: 'nowhere' } }
  expect(await caller.call('book', input)).toMatchObject({ code: 'InvalidPupUid' })
})
