import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import { cancel, waitForBooking } from '#flows/messages'
import { pass } from '../../../testing/stack/wire.ts'
import { growOld } from '../../support/flows/longHistories.ts'
import { requireRole } from '../../support/flows/underway.ts'
import { useWorkshop } from '../../support/flows/useWorkshop.ts'
import { assembly, labelWith, relocation, repairForDays } from '../../support/flows/workshop.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const agreed = { step: 'offer', answer: 'agree', fields: { cents: 4_900 } }
const labelTwice = labelWith('labelTwice', { retry: { initialInterval: '1ms', maximumAttempts: 2 } })
const slowLabel = labelWith('slowLabel', { timeout: '1s', retry: 'once' })
const silentLabel = labelWith('silentLabel', { heartbeat: '1s', retry: 'once' })

const world = useWorld()
const shop = useWorkshop(world, {
  flows: [assembly, labelTwice, slowLabel, silentLabel, relocation],
})

describe('a flow with every kind of step', () => {
  const { printed, voided, state, start, bringIn, handleOf, give, resultOf, putBack } = shop

  test('completes with its outputs, and books twice by one operation', async () => {
    const caseNo = await start(2)
    const device = await bringIn(caseNo)
    expect(await world.statusWhen(caseNo, () => true)).toMatchObject({
      step: 'offer',
      asks: { step: 'offer', who: 'customer', answers: { agree: { cents: 'integer' }, decline: {} } },
    })
    await give(caseNo, agreed)
    const result = await putBack(caseNo)
    const back = requireRole(result.shipments, 'back')
    expect(result).toMatchObject({
      outcome: 'completed',
      leftOver: [],
      report: 'repaired',
      cents: 4_900,
      pupUid: 'pup-1',
      backUid: back.shipmentUid,
    })
    expect(back.shipmentUid).not.toBe(device.shipmentUid)
    expect(printed).toEqual([expect.stringMatching(new RegExp(`^${caseNo}:.*:label$`))])
    expect(voided).toEqual([])
  })

  test('applies a callback while days of work run, and is cancelled: everything is undone in reverse order', async () => {
    const { repair, begun } = repairForDays()
    state.repair = repair
    const caseNo = await start(1)
    const device = await bringIn(caseNo)
    await give(caseNo, agreed)
    await begun
    expect(await world.statusWhen(caseNo, ({ stage }) => stage === 'repair')).toMatchObject({ state: 'waiting' })
    await world.open(device, 'pickUpCode')
    const called = await world.statusWhen(caseNo, ({ shipments }) => shipments[0]?.stateCode === 'Completed')
    expect(called).toMatchObject({ step: 'repair', state: 'waiting' })
    const [first, second] = await Promise.all(
      ['one', 'two'].map(reason => handleOf(caseNo).executeUpdate(cancel, { args: [{ reason }] })),
    )
    const leftOver = [{ step: 'repair', shipmentUid: null, reason: 'The device is repaired and not paid.' }]
    expect(first).toEqual({ outcome: 'cancelled', leftOver })
    expect(second).toEqual(first)
    expect(voided).toMatchObject([{ certain: true, output: { labelNo: 'L-1' }, input: { customer: world.userUid } }])
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled', leftOver })
  })

  test.each([
    ['slowLabel', 'the last attempt exceeded the timeout of the step'],
    ['silentLabel', 'the last attempt sent no heartbeat in time'],
  ])('says why the last attempt of %s timed out', async (flow, reason) => {
    state.label = () => Context.current().cancelled
    const caseNo = await shop.startFlow(flow, { booked: 0, request: {} })
    const message = `No successful attempt in the attempts that its retry policy allows: ${reason}.`
    await expect(resultOf(caseNo)).rejects.toMatchObject({
      cause: { type: 'RunGivenUp', message: expect.stringContaining(message) },
    })
  })

  // The SDK encodes a function as an empty payload, which no workflow task can read.
  test('fails with the code of a failure whose details are a function', async () => {
    state.label = () => {
      throw ApplicationFailure.create({ type: 'Broken', nonRetryable: true, details: [() => 'off'] })
    }
    const caseNo = await shop.startFlow('labelTwice', { booked: 0, request: {} })
    await expect(resultOf(caseNo)).rejects.toMatchObject({ cause: { type: 'Broken' } })
  })

  // As Python and Go report it.
  test('fails with RunGivenUp, and not with a code of the service, on a failure without a type', async () => {
    state.label = () => {
      throw ApplicationFailure.create({ type: '', message: 'The printer was sold.', nonRetryable: true })
    }
    const caseNo = await start(0)
    const message =
      'No successful attempt before a failure that is not retryable and has no type: The printer was sold.'
    await expect(resultOf(caseNo)).rejects.toMatchObject({
      cause: { type: 'RunGivenUp', message: expect.stringContaining(message) },
    })
    expect(voided).toMatchObject([{ certain: false, output: null }])
  })

  // protobufjs writes lone surrogates of short texts as they are, and the core of Temporal's SDK then ends the worker.
  test('repeats an activity whose failure has a lone surrogate', async () => {
    state.label = () => {
      if (printed.length === 1) throw new Error('cut \ud83d')
      return { labelNo: 'L-2' }
    }
    const caseNo = await shop.startFlow('labelTwice', { booked: 0, request: {} })
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed' })
    expect(printed).toHaveLength(2)
  })

  test('fails at once on a result that is not JSON', async () => {
    state.label = () => (() => 'L-1') as never
    const caseNo = await shop.startFlow('labelTwice', { booked: 0, request: {} })
    const message = 'The result of the activity printLabel: result: must be a value that JSON can represent.'
    await expect(resultOf(caseNo)).rejects.toMatchObject({
      cause: { type: 'InvalidActivityResult', message: expect.stringContaining(message) },
    })
    expect(printed).toHaveLength(1)
    expect(voided).toMatchObject([{ certain: false, output: null }])
  })

  test('returns its first booking in a later run, before it makes the second one', async () => {
    const caseNo = await start(1)
    const { shipmentUid } = await bringIn(caseNo)
    await growOld(world, caseNo)
    expect(await handleOf(caseNo).executeUpdate(waitForBooking.name)).toMatchObject({ shipments: [{ shipmentUid }] })
    await handleOf(caseNo).cancel()
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled', leftOver: [{ shipmentUid }] })
  })
})

// The worker notes in the heartbeats of an attempt that the service has rejected it.
test('a call that the service refuses after HTTP 429 leaves nothing for a person', async () => {
  let calls = 0
  world.toService.rule = ({ path }) =>
    path.endsWith('/SetAccountPickUpPoint') && ++calls <= 2 ? { kind: 'status', status: 429 } : pass
  const request = { customerUid: 'nobody-has-it' }
  const { cause } = await shop
    .resultOf(await shop.startFlow('relocation', { booked: 0, request }))
    .catch(error => error)
  expect(cause).toMatchObject({ type: 'InvalidUserUid' })
  expect(cause.details).toEqual([{ requestId: expect.any(String) }])
  expect(calls).toBe(3)
})

describe('a step on a task queue without a worker', () => {
  const { voided, startFlow, handleOf, resultOf } = shop
  const leftOver = [{ step: 'assemble', shipmentUid: null, reason: 'The parts are in the workshop.' }]
  const startAssembly = (windows = {}) => startFlow('assembly', { booked: 0, request: {}, windows })

  test('is given up when its window has passed, and undone', async () => {
    const caseNo = await startAssembly({ assemble: '1s' })
    await expect(resultOf(caseNo)).rejects.toMatchObject({
      cause: {
        type: 'RunGivenUp',
        message: expect.stringContaining(
          'No successful attempt within the window of the step: no worker took it from the task queue no-worker-polls-it.',
        ),
        details: [{ leftOver }],
      },
    })
    expect(await world.flows.status(caseNo)).toMatchObject({
      status: { state: 'ended', result: null, failure: { code: 'RunGivenUp', leftOver } },
    })
    expect(voided).toMatchObject([{ certain: true, output: { labelNo: 'L-1' } }])
  })

  test('names the queue in the current details, and is undone when it is cancelled', async () => {
    const caseNo = await startAssembly()
    await world.statusWhen(caseNo, ({ step }) => step === 'assemble')
    const { currentDetails } = await handleOf(caseNo).query<{ currentDetails: string }>('__temporal_workflow_metadata')
    expect(currentDetails).toContain('- activity assemble: waits for a worker on the task queue no-worker-polls-it, or')
    await handleOf(caseNo).cancel()
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled', leftOver })
    expect(await world.flows.status(caseNo)).toMatchObject({ status: { result: { leftOver }, failure: null } })
    expect(voided).toHaveLength(1)
  })
})
