import { Client, Connection } from '@temporalio/client'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { connectLockers, type Lockers, startLockers } from '#testing'
import { eventually } from '../support/eventually.ts'
import { startTestService, type TestService } from '../support/service/testService.ts'
import { parcel } from '../support/world/apiWorld.ts'
import { bundle } from '../support/world/bundle.ts'

let lockers: Lockers

beforeAll(async () => {
  lockers = await startLockers({ temporal: inject('temporal'), bundle: await bundle() })
})

afterAll(() => lockers.stop())

/** Starts an issue to a user. */
async function issue(caseNo: string, user = 'robin'): Promise<void> {
  const ToUserUid = await lockers.people.create(user)
  const request = { ...parcel, ToUserUid }
  expect(await lockers.flows.startAndWaitForBooking('issue', { caseNo, request })).toMatchObject({ kind: 'Booked' })
}

const completed = { result: { outcome: 'completed' } }

async function untilStage(caseNo: string, stage: string): Promise<void> {
  await eventually(async () => {
    const found = await lockers.flows.status(caseNo)
    return found.kind === 'Status' && found.status.stage === stage
  })
}

/** Milliseconds: each story takes several steps, which are slow on a loaded machine. */
const timeout = 180_000

describe('a case plays itself', { timeout }, () => {
  test('on time', async () => {
    await issue('on-time-1')
    expect(await lockers.flows.result('on-time-1')).toMatchObject(completed)
  })

  test('with a wrong code before the right one', async () => {
    await issue('wrong-code-1')
    expect(await lockers.flows.result('wrong-code-1')).toMatchObject(completed)
  })

  test('late: the user comes when the flow is overdue', async () => {
    await issue('late-1')
    await untilStage('late-1', 'pickUp')
    await lockers.people.neverCome('late-1')
    await lockers.notifications.next('flow.overdue', { caseNo: 'late-1' })
    expect(await lockers.flows.result('late-1')).toMatchObject(completed)
  })

  test('never: the dispatcher comes, and the user does not', async () => {
    await issue('never-1')
    await untilStage('never-1', 'pickUp')
    await lockers.people.neverCome('never-1')
    await lockers.notifications.next('flow.overdue', { caseNo: 'never-1' })
    expect(await lockers.flows.status('never-1')).toMatchObject({ status: { overdue: true, stage: 'pickUp' } })
    await lockers.people.pickUp('never-1')
    expect(await lockers.flows.result('never-1')).toMatchObject(completed)
  })

  test('by the e-mail address of its user', async () => {
    await issue('R-1', 'on-time-kim')
    expect(await lockers.flows.result('R-1')).toMatchObject(completed)
  })

  test('late, by the e-mail address of its user', async () => {
    await issue('R-3', 'late-robin')
    await untilStage('R-3', 'pickUp')
    await lockers.people.neverCome('R-3')
    await lockers.notifications.next('flow.overdue', { caseNo: 'R-3' })
    expect(await lockers.flows.result('R-3')).toMatchObject(completed)
  })
})

describe('a service that runs elsewhere', { timeout }, () => {
  let service: TestService
  let connection: Connection
  let client: Client

  beforeAll(async () => {
    const { address, namespace } = inject('temporal')
    service = await startTestService({ environment: 'production', allowPrivateNetworks: false })
    connection = await Connection.connect({ address })
    client = new Client({ connection, namespace })
  })

  afterAll(async () => {
    await connection.close()
    await service.stop()
  })

  test('in staging has people', async () => {
    const { url, credentials } = lockers.service
    await using connected = await connectLockers({ baseUrl: url, ...credentials, client })
    await issue('R-2')
    await connected.people.dropOff('R-2')
    await untilStage('R-2', 'pickUp')
    await connected.people.pickUp('R-2')
    expect(await lockers.flows.result('R-2')).toMatchObject(completed)
  })

  test('in production is refused', async () => {
    const connecting = connectLockers({ baseUrl: service.address, ...lockers.service.credentials, client })
    await expect(connecting).rejects.toThrow('baseUrl: must be a service in staging')
  })
})
