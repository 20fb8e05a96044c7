import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createApi } from '#contract/client'
import { withReference } from '#contract/terms'
import { toWorkflowId } from '#flows'
import { shipmentStatus } from '#flows/messages'
import { pass, type Rule } from '../../../../testing/stack/wire.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const world = useWorld()

/** A new user at the first pick up point. */
function person(): Record<string, unknown> & { readonly emailAddress: string } {
  return {
    emailAddress: `kim-${randomUUID()}@example.org`,
    firstName: 'Kim',
    lastName: 'Keeper',
    pickUpPointUid: 'pup-1',
  }
}

function calls(operation: string): number {
  return world.toService.passings.filter(({ path }) => path.endsWith(`/${operation}`)).length
}

async function onboard(request: Record<string, unknown>, windows = {}) {
  const caseNo = world.newCase(0)
  await world.flows.start('onboardAccount', { caseNo, request, windows })
  return { caseNo, ended: await world.flows.result(caseNo) }
}

function faultAt(operation: string, handling: ReturnType<Rule>, times = 1): void {
  let met = 0
  world.toService.rule = ({ path }) => (path.endsWith(`/${operation}`) && met++ < times ? handling : pass)
}

describe('an account', () => {
  test('that is new is created, and the response is the result', async () => {
    const request = person()
    const { caseNo, ended } = await onboard(request)
    const made = await world.api.call('GetAccount', { emailAddress: request.emailAddress })
    expect(made).toMatchObject({ isExisting: true, mainPupUid: 'pup-1' })
    expect(ended).toEqual({
      kind: 'Ended',
      result: {
        ...made,
        isExisting: false,
        flow: 'onboardAccount',
        caseNo,
        outcome: 'completed',
        shipments: [],
        leftOver: [],
      },
    })
  })

  test('that exists is found, and not changed', async () => {
    const request = person()
    await world.api.call('CreateOrGetAccount', request as never)
    const before = calls('SetAccountPickUpPoint')
    expect((await onboard(request)).ended).toMatchObject({ result: { isExisting: true, mainPupUid: 'pup-1' } })
    expect(calls('SetAccountPickUpPoint')).toBe(before)
  })

  test('with another pick up point gets the requested one', async () => {
    const request = person()
    const { userUid } = await world.api.call('CreateOrGetAccount', request as never)
    const { ended } = await onboard({ ...request, pickUpPointUid: 'pup-2' })
    expect(ended).toMatchObject({ result: { outcome: 'completed', userUid, mainPupUid: 'pup-2', mainPupName: null } })
    expect(await world.api.call('GetAccount', { userUid })).toMatchObject({ mainPupUid: 'pup-2' })
  })

  test('of another tenant is returned by its uid only', async () => {
    const request = person()
    const globex = createApi({ ...world.apiSettings, clientId: 'globex', clientSecret: 'globex-secret' })
    const { userUid } = await globex.call('CreateOrGetAccount', { ...request, pickUpPointUid: 'pup-3' } as never)
    await globex.close()
    const before = calls('SetAccountPickUpPoint')
    expect((await onboard(request)).ended).toMatchObject({
      result: { outcome: 'completed', userUid, canManageUser: false, emailAddress: null },
    })
    expect(calls('SetAccountPickUpPoint')).toBe(before)
  })
})

describe('when the account is created and its configuration fails', () => {
  const mutationConfig = { canChangeEmailAddress: false, canRemoveManually: true }

  async function failing<Answer>(work: () => Promise<Answer>): Promise<Answer> {
    await world.api.call('SetSandboxFaults', { mutationConfigFails: true })
    return work().finally(() => world.api.call('SetSandboxFaults', { mutationConfigFails: false }))
  }

  async function expectConfigured(emailAddress: string): Promise<void> {
    const { userUid } = await world.api.call('GetAccount', { emailAddress })
    expect(await world.api.call('GetAccountMutationConfig', { userUid: userUid ?? '' })).toMatchObject(mutationConfig)
  }

  test('setting the configuration is retried until it succeeds', async () => {
    const request = { ...person(), mutationConfig }
    const [made, set] = [calls('CreateOrGetAccount'), calls('SetAccountMutationConfig')]
    const { ended } = await failing(() => {
      faultAt('SetAccountMutationConfig', { kind: 'status', status: 503 }, 2)
      return onboard(request)
    })
    expect(ended).toMatchObject({ result: { outcome: 'completed', isExisting: false } })
    expect(calls('CreateOrGetAccount') - made).toBe(1)
    expect(calls('SetAccountMutationConfig') - set).toBe(3)
    await expectConfigured(request.emailAddress)
  })

  test('an account that the response omits is read', async () => {
    const request = { ...person(), mutationConfig }
    const { ended } = await failing(() => {
      faultAt('CreateOrGetAccount', {
        kind: 'rewrite',
        change: ({ error, message }) => ({ success: false, error, message }),
      })
      return onboard(request)
    })
    expect(ended).toMatchObject({ result: { outcome: 'completed', emailAddress: request.emailAddress } })
    await expectConfigured(request.emailAddress)
  })

  test('a refused configuration fails the flow, and the account stays', async () => {
    const request = { ...person(), mutationConfig }
    const { ended } = await failing(() => {
      const body = { success: false, error: 'InvalidUserUid', message: 'Kim Keeper' }
      faultAt('SetAccountMutationConfig', { kind: 'answer', body })
      return onboard(request)
    })
    expect(ended).toMatchObject({ kind: 'Refused', code: 'InvalidUserUid' })
    expect(await world.api.call('GetAccount', { emailAddress: request.emailAddress })).toMatchObject({
      isExisting: true,
    })
  })

  test('cancelling stops the retries, and the result has the account', async () => {
    const request = { ...person(), mutationConfig }
    const caseNo = world.newCase(0)
    await failing(async () => {
      faultAt('SetAccountMutationConfig', { kind: 'cut' }, 1_000)
      await world.flows.start('onboardAccount', { caseNo, request })
      await world.statusWhen(caseNo, ({ stage }) => stage === 'mutationConfig')
      expect(await world.flows.cancel(caseNo, 'over')).toEqual({
        kind: 'Cancelled',
        outcome: 'cancelled',
        leftOver: [],
      })
    })
    expect(await world.flows.result(caseNo)).toMatchObject({
      result: { outcome: 'cancelled', emailAddress: request.emailAddress },
    })
  })
})

describe('while the service does not respond', () => {
  test('an account whose response is lost is created once, and reported as new', async () => {
    faultAt('CreateOrGetAccount', { kind: 'loseAnswer' })
    expect((await onboard(person())).ended).toMatchObject({ result: { outcome: 'completed', isExisting: false } })
  })

  test('within the window of the step, the flow fails', async () => {
    faultAt('CreateOrGetAccount', { kind: 'cut' }, 1_000)
    const { ended } = await onboard(person(), { account: '1s' })
    expect(ended).toMatchObject({ kind: 'Refused', code: 'CallGivenUp' })
  })

  test.each(['update', 'button'])('cancelling by %s ends it without an account', async way => {
    faultAt('CreateOrGetAccount', { kind: 'cut' }, 1_000)
    const caseNo = world.newCase(0)
    const booked = world.flows.startAndWaitForBooking('onboardAccount', { caseNo, request: person() })
    await world.statusWhen(caseNo, ({ stage }) => stage === 'account')
    if (way === 'update') await world.flows.cancel(caseNo, 'over')
    else await world.client.workflow.getHandle(toWorkflowId(caseNo)).cancel()
    expect(await booked).toMatchObject({ kind: 'Refused', code: 'BookingCancelled' })
    expect(await world.flows.result(caseNo)).toMatchObject({
      kind: 'Ended',
      result: { flow: 'onboardAccount', caseNo, outcome: 'cancelled', shipments: [], leftOver: [], userUid: null },
    })
  })
})

describe('an account is refused', () => {
  test('by the service: the flow fails with its code', async () => {
    const refused = {
      ...{ kind: 'Refused', code: 'InvalidPupUid', message: expect.stringMatching(/\w+ .+/) },
      serviceRequestId: expect.any(String),
    }
    const { caseNo, ended } = await onboard({ ...person(), pickUpPointUid: 'pup-3' })
    expect(ended).toEqual(refused)
    expect(await world.flows.result(caseNo)).toEqual(refused)
  })

  test('before any request, with every invalid field', async () => {
    const before = calls('CreateOrGetAccount')
    const { ended } = await onboard({ ...person(), emailAddress: 'kim', phoneNumber: '12' })
    expect(ended).toMatchObject({ code: 'InvalidFlowInput', message: /^request: emailAddress: .*; phoneNumber: / })
    expect(calls('CreateOrGetAccount')).toBe(before)
  })

  test('with a window of a step that it does not have', async () => {
    const { ended } = await onboard(person(), { booking: '1h' })
    expect(ended).toMatchObject({
      message: withReference(
        'InvalidFlowInput',
        'windows: must only name account, pickUpPoint, mutationConfig, got booking.',
      ),
    })
  })

  test('under another workflow id', async () => {
    const options = { workflowId: `account:${randomUUID()}`, taskQueue: world.taskQueue }
    const args = [{ caseNo: 'another', request: person() }]
    const started = world.client.workflow.execute('onboardAccount', { ...options, args })
    await expect(started).rejects.toMatchObject({ cause: { type: 'InvalidFlowInput' } })
  })
})

describe('the updates of every flow', () => {
  test('a second start finds the first, or its result; another request is CaseInUse', async () => {
    const caseNo = world.newCase(0)
    const input = { caseNo, request: person() }
    const answers = await Promise.all([1, 2].map(() => world.flows.startAndWaitForBooking('onboardAccount', input)))
    for (const answer of answers) expect(['Booked', 'CaseFinished']).toContain(answer.kind)
    await world.flows.result(caseNo)
    expect(await world.flows.start('onboardAccount', input)).toMatchObject({ kind: 'CaseFinished' })
    const other = { caseNo, request: person() }
    expect(await world.flows.start('onboardAccount', other)).toMatchObject({ kind: 'CaseInUse' })
  })

  test('inapplicable updates are rejected with a code, and a callback changes nothing', async () => {
    const caseNo = world.newCase(0)
    faultAt('CreateOrGetAccount', { kind: 'cut' }, 1_000)
    await world.flows.start('onboardAccount', { caseNo, request: person() })
    await world.statusWhen(caseNo, ({ stage }) => stage === 'account')
    const { flows, client } = world
    expect(await flows.decide(caseNo, { decision: 'extend' })).toMatchObject({ code: 'NothingToDecide' })
    expect(await flows.assignReceiver(caseNo, world.userUid)).toMatchObject({ code: 'InvalidFlowInput' })
    expect(await flows.release(caseNo)).toMatchObject({ code: 'InvalidFlowInput' })
    const handle = client.workflow.getHandle(toWorkflowId(caseNo))
    await handle.signal(shipmentStatus, { shipmentUid: 'S', stateCode: 'Completed', stateStart: '' })
    world.toService.rule = () => pass
    expect(await flows.result(caseNo)).toMatchObject({ result: { outcome: 'completed' } })
    expect(await flows.cancel(caseNo, 'over')).toMatchObject({ code: 'FlowEnded' })
  })
})

test('no personal data is in memo, search attributes or summaries', async () => {
  const request = { ...person(), phoneNumber: '+31612345678', userName: `kim-${randomUUID()}` }
  const { caseNo } = await onboard(request)
  const refused = await onboard({ ...person(), pickUpPointUid: 'pup-3' })
  for (const each of [caseNo, refused.caseNo]) {
    const handle = world.client.workflow.getHandle(toWorkflowId(each))
    const { raw } = await handle.describe()
    const board = await handle.query('__temporal_workflow_metadata')
    const seen = JSON.stringify([raw, board])
    expect(seen).toContain(each)
    for (const secret of ['Kim', 'Keeper', '@example.org', '+316', request.userName]) expect(seen).not.toContain(secret)
  }
  expect(JSON.stringify(refused.ended)).not.toMatch(/Kim|Keeper|example\.org/)
})
