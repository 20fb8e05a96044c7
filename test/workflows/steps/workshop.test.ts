import { Context } from '@temporalio/activity'
import { ApplicationFailure } from '@temporalio/common'
import { describe, expect, test } from 'vitest'
import type { FlowDeclaration } from '#flows/declaration'
import { cancel, waitForBooking } from '#flows/messages'
import { replay } from '#worker'
import { eventually, gate } from '../../support/eventually.ts'
import { eventsOf, runsOf } from '../../support/flows/history.ts'
import { requireRole } from '../../support/flows/underway.ts'
import { codeOf, useWorkshop } from '../../support/flows/useWorkshop.ts'
import {
  assembly,
  cannotRepair,
  failWithoutType,
  printerIsGone,
  relocation,
  repairForDays,
  workshop,
} from '../../support/flows/workshop.ts'
import { pass } from '../../support/wire.ts'
import { bundle } from '../../support/world/bundle.ts'
import { useOwnTemporal } from '../../support/world/ownTemporal.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const agreed = { step: 'offer', answer: 'agree', fields: { cents: 4_900 } }
const loneSurrogate = '\ud83d'
const inside = 'there is an item in the locker'

/** As an HTTP client can return one. */
const circle: { [field: string]: unknown } = { name: 'Circle', message: 'The printer is off.' }
circle.cause = circle

const unreadable = {
  get labelNo(): string {
    throw new Error('The printer is off.')
  },
}

/** A flow of one label, whose step has other fields. */
function labelWith(name: string, fields: object): FlowDeclaration {
  return { ...assembly, name, steps: [{ ...assembly.steps[0], ...fields }] }
}

const labelTwice = labelWith('labelTwice', { retry: { initialInterval: '1ms', maximumAttempts: 2 } })
const [account, pause] = relocation.steps
const strictRelocation: FlowDeclaration = {
  ...relocation,
  name: 'strictRelocation',
  steps: [{ ...account, onError: { InvalidUserUid: 'fail' } }, pause],
}
/** It goes on with a label whose number is unknown. */
const anyLabel: FlowDeclaration = {
  ...assembly,
  name: 'anyLabel',
  steps: [
    { ...assembly.steps[0], onError: { InvalidActivityResult: 'continue' } },
    { name: 'pause', summary: 'The label dries.', sleep: '1h' },
  ],
}
const slowLabel = labelWith('slowLabel', { timeout: '1s', retry: 'once' })
const silentLabel = labelWith('silentLabel', { heartbeat: '1s', retry: 'once' })

const world = useWorld()
const shop = useWorkshop(world, {
  flows: [assembly, labelTwice, anyLabel, slowLabel, silentLabel, relocation, strictRelocation],
})

describe('a flow with every kind of step', () => {
  const { restart, printed, voided, state, start, bringIn, handleOf, give, resultOf, putBack } = shop

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

  test('leaves a step out whose condition is false', async () => {
    const caseNo = await start(2)
    await bringIn(caseNo)
    await give(caseNo, { step: 'offer', answer: 'decline' })
    expect(await putBack(caseNo)).toMatchObject({ outcome: 'completed', report: null, cents: null })
  })

  test('goes on after a failure that it tolerates', async () => {
    state.repair = cannotRepair
    const caseNo = await start(2)
    await bringIn(caseNo)
    await give(caseNo, agreed)
    expect(await putBack(caseNo)).toMatchObject({ outcome: 'completed', report: null })
    const { outputs } = (await handleOf(caseNo).query('status', { outputs: true })) as { outputs: unknown }
    expect(outputs).toMatchObject({ label: { labelNo: 'L-1' }, repair: { error: 'CannotRepair' } })
    expect(JSON.stringify(outputs)).not.toContain('not kept')
  })

  test('takes one answer: too early, wrong, twice at once, and another one', async () => {
    const caseNo = await start(2)
    await world.statusWhen(caseNo, ({ stage }) => stage === 'bringIn')
    expect(await codeOf(give(caseNo, agreed))).toBe('NotAskedYet')
    await bringIn(caseNo)
    expect(await codeOf(give(caseNo, { ...agreed, step: 'bringIn' }))).toBe('InvalidFlowInput')
    expect(await codeOf(give(caseNo, { ...agreed, answer: 'maybe' }))).toBe('InvalidFlowInput')
    expect(await codeOf(give(caseNo, { ...agreed, answer: ['agree'] as never }))).toBe('InvalidFlowInput')
    expect(await codeOf(give(caseNo, { ...agreed, step: ['offer'] as never }))).toBe('InvalidFlowInput')
    expect(await codeOf(give(caseNo, { ...agreed, fields: { cents: 'many' } }))).toBe('InvalidFlowInput')
    const { repair, begun } = repairForDays()
    state.repair = repair
    const [one, other] = await Promise.all([
      give(caseNo, { ...agreed, by: 'kim' }),
      give(caseNo, { ...agreed, by: 'kim' }),
    ])
    expect(one).toMatchObject({ step: 'offer', answer: 'agree', fields: { cents: 4_900 }, by: 'kim' })
    expect(other).toEqual(one)
    await begun
    expect(await give(caseNo, { ...agreed, by: 'robin' })).toEqual(one)
    expect(await codeOf(give(caseNo, { step: 'offer', answer: 'decline' }))).toBe('AlreadyAnswered')
    state.repair = async () => ({ report: 'repaired' })
    // The stop of a worker ends the attempt, and the next one repeats it.
    await restart()
    expect(await putBack(caseNo)).toMatchObject({ outcome: 'completed', report: 'repaired' })
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

  test('repeats the result of an answer while the flow is undone, for a caller whose response was lost', async () => {
    const { repair, begun } = repairForDays()
    const { opened, open } = gate()
    Object.assign(state, { repair, undoLabel: () => opened })
    const caseNo = await start(1)
    await bringIn(caseNo)
    const given = await give(caseNo, agreed)
    await begun
    await handleOf(caseNo).cancel()
    await world.statusWhen(caseNo, status => status.state === 'cleaningUp')
    expect(await give(caseNo, agreed)).toEqual(given)
    expect(await codeOf(give(caseNo, { step: 'offer', answer: 'decline' }))).toBe('AlreadyAnswered')
    open()
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled' })
  })

  test.each([
    ['is cancelled', {}],
    ['has expired', { bringIn: '300ms' }],
  ])('refuses an answer while it is undone, since it %s', async (_, windows) => {
    const { opened, open } = gate()
    state.undoLabel = () => opened
    const caseNo = await start(1, windows)
    if (!('bringIn' in windows)) {
      await bringIn(caseNo)
      await handleOf(caseNo).cancel()
    }
    await world.statusWhen(caseNo, status => status.state === 'cleaningUp')
    expect(await codeOf(give(caseNo, agreed))).toBe('FlowEnded')
    open()
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'bringIn' in windows ? 'expired' : 'cancelled' })
  })

  test('is cancelled by the button while the service and the printer are away: the undo waits for both', async () => {
    const caseNo = await start(1)
    await world.statusWhen(caseNo, ({ stage }) => stage === 'bringIn')
    state.failures = 2
    let asked = 0
    world.toService.rule = ({ path }) =>
      path.endsWith('/CancelShipment') && ++asked <= 2 ? { kind: 'status', status: 503 } : pass
    await handleOf(caseNo).cancel()
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled', leftOver: [] })
    expect(asked).toBeGreaterThan(2)
    expect(voided).toHaveLength(1)
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })

  test.each([
    ['PrinterGone', printerIsGone],
    ['RunGivenUp', failWithoutType],
  ])('leaves a step over, with the code %s, whose undo fails', async (code, undo) => {
    state.undoLabel = undo
    const caseNo = await start(1)
    await world.statusWhen(caseNo, ({ stage }) => stage === 'bringIn')
    await handleOf(caseNo).cancel()
    const leftOver = [{ step: 'label', shipmentUid: null, reason: `it could not be undone: ${code}` }]
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled', leftOver })
    expect(voided).toEqual([])
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })

  test('ends when a shipment that it awaits is cancelled from outside', async () => {
    const caseNo = await start(1)
    const { shipments } = await world.statusWhen(caseNo, ({ stage }) => stage === 'bringIn')
    await world.api.call('CancelShipment', { shipmentUid: requireRole(shipments, 'device').shipmentUid })
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled', leftOver: [] })
    expect(voided).toHaveLength(1)
  })

  test('fails with the code of a refused second booking, and undoes the steps before', async () => {
    const caseNo = await start(1)
    await bringIn(caseNo)
    world.toService.rule = ({ path }) => (path.includes('/CreateLocal') ? { kind: 'status', status: 404 } : pass)
    await give(caseNo, { step: 'offer', answer: 'decline' })
    await expect(resultOf(caseNo)).rejects.toMatchObject({ cause: { type: 'UnknownOperation' } })
    expect(voided).toHaveLength(1)
  })

  test('fails with the message of the last attempt that its retry policy allows', async () => {
    state.label = () => {
      throw new Error('The printer is off.')
    }
    const caseNo = await shop.startFlow('labelTwice', { booked: 0, request: {} })
    const message = 'No successful attempt in the attempts that its retry policy allows: Error: The printer is off.'
    await expect(resultOf(caseNo)).rejects.toMatchObject({
      cause: { type: 'RunGivenUp', message: expect.stringContaining(message) },
    })
    expect(printed).toHaveLength(2)
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

  async function expectRepeated(toError: () => unknown): Promise<void> {
    state.label = () => {
      if (printed.length === 1) throw toError()
      return { labelNo: 'L-2' }
    }
    const caseNo = await shop.startFlow('labelTwice', { booked: 0, request: {} })
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'completed' })
    expect(printed).toHaveLength(2)
  }

  // protobufjs writes lone surrogates of short texts as they are, and the core of Temporal's SDK then ends the worker.
  test.each([
    ['a message', () => new Error(`cut ${loneSurrogate}`)],
    ['a cause', () => new Error('The printer is off.', { cause: new Error(`cut ${loneSurrogate}`) })],
    ['a type', () => ApplicationFailure.create({ type: `cut ${loneSurrogate}`, message: 'The printer is off.' })],
    ['a name', () => Object.assign(new Error('The printer is off.'), { name: `cut ${loneSurrogate}` })],
    ['a frozen error', () => Object.freeze(new Error(`cut ${loneSurrogate}`))],
  ])('repeats an activity whose failure has a lone surrogate in %s', (_name, toError) => expectRepeated(toError))

  // The SDK ends the worker when it cannot encode a failure.
  test.each([
    ['details that are not JSON', () => withDetails([{ cents: 7n }])],
    ['details that are a text', () => withDetails('off' as never)],
    ['itself as its cause', () => withCause(new Error('The printer is off.'))],
    ['a plain object that is its own cause', () => new Error('The printer is off.', { cause: circle })],
    ['a lone surrogate as its cause', () => ApplicationFailure.create({ cause: loneSurrogate as never })],
    ['a delay that is not a number', () => ApplicationFailure.create({ nextRetryDelay: Number.NaN })],
    ['a number as its stack', () => Object.assign(withDetails([]), { stack: 7 })],
    ['a message that has no text', () => ({ message: Object.create(null) })],
    ['a text alone, with a lone surrogate', () => loneSurrogate],
  ])('repeats an activity whose failure has %s', (_name, toError) => expectRepeated(toError))

  // The SDK encodes a function as an empty payload, which no workflow task can read.
  test('fails with the code of a failure whose details are a function', async () => {
    state.label = () => {
      throw ApplicationFailure.create({ type: 'Broken', nonRetryable: true, details: [() => 'off'] })
    }
    const caseNo = await shop.startFlow('labelTwice', { booked: 0, request: {} })
    await expect(resultOf(caseNo)).rejects.toMatchObject({ cause: { type: 'Broken' } })
  })

  test('fails with the code of a frozen failure that has a lone surrogate', async () => {
    state.label = () => {
      throw Object.freeze(ApplicationFailure.nonRetryable(loneSurrogate, 'Broken'))
    }
    const caseNo = await shop.startFlow('labelTwice', { booked: 0, request: {} })
    await expect(resultOf(caseNo)).rejects.toMatchObject({ cause: { type: 'Broken' } })
    expect(printed).toHaveLength(1)
  })

  test.each([
    ['as Python and Go report it', '', 'The printer was sold.'],
    ['as TypeScript reports it', 'Error', 'Error: The printer was sold.'],
  ])(
    'fails with RunGivenUp, and not with a code of the service, on a failure without a type, %s',
    async (_, type, reason) => {
      state.label = () => {
        throw ApplicationFailure.create({ type, message: 'The printer was sold.', nonRetryable: true })
      }
      const caseNo = await start(0)
      const message = `No successful attempt before a failure that is not retryable and has no type: ${reason}`
      await expect(resultOf(caseNo)).rejects.toMatchObject({
        cause: { type: 'RunGivenUp', message: expect.stringContaining(message) },
      })
      expect(voided).toMatchObject([{ certain: false, output: null }])
    },
  )

  test('fails on a result that does not match its declaration, and undoes the step as uncertain', async () => {
    state.label = () => ({ labelNo: 42 })
    const caseNo = await start(0)
    await expect(resultOf(caseNo)).rejects.toMatchObject({
      cause: { type: 'InvalidActivityResult', message: expect.stringContaining('result.labelNo: must be a text') },
    })
    expect(printed).toHaveLength(1)
    expect(voided).toMatchObject([{ certain: false, output: null }])
  })

  test.each([
    ['a function', () => 'L-1', 'result: '],
    ['a number of any size', { labelNo: 7n }, 'result.labelNo: '],
    ['a part of itself', { labelNo: 'L-1', circle }, 'result.circle: '],
    ['a getter that throws', unreadable, 'result.labelNo: '],
    ['a text with a lone surrogate beside such a number', [7n, loneSurrogate], 'result: '],
  ])('fails at once on a result that is not JSON: %s', async (_name, result, at) => {
    state.label = () => result as never
    const caseNo = await shop.startFlow('labelTwice', { booked: 0, request: {} })
    const message = `The result of the activity printLabel: ${at}must be a value that JSON can represent.`
    await expect(resultOf(caseNo)).rejects.toMatchObject({
      cause: { type: 'InvalidActivityResult', message: expect.stringContaining(message) },
    })
    expect(printed).toHaveLength(1)
    expect(voided).toMatchObject([{ certain: false, output: null }])
  })

  test('goes on after such a result if its step tolerates it, and undoes it as uncertain later', async () => {
    state.label = () => ({ labelNo: 42 })
    const caseNo = await shop.startFlow('anyLabel', { booked: 0, request: {} })
    await world.statusWhen(caseNo, ({ step }) => step === 'pause')
    await handleOf(caseNo).cancel()
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled', leftOver: [] })
    expect(voided).toMatchObject([{ certain: false, output: null }])
  })
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

describe('a call that leaves something for a person', () => {
  const { startFlow, handleOf, resultOf } = shop
  const leftOver = [{ step: 'account', shipmentUid: null, reason: 'The customer has another pick up point.' }]
  const isCall = ({ path }: { readonly path: string }) => path.endsWith('/SetAccountPickUpPoint')

  function startCall({ flow = 'relocation', customerUid = world.userUid, windows = {} } = {}): Promise<string> {
    return startFlow(flow, { booked: 0, request: { customerUid }, windows })
  }

  test('is left over when it is given up without a response', async () => {
    world.toService.rule = passing => (isCall(passing) ? { kind: 'loseAnswer' } : pass)
    const caseNo = await startCall({ windows: { account: '1s' } })
    await expect(resultOf(caseNo)).rejects.toMatchObject({ cause: { type: 'CallGivenUp', details: [{ leftOver }] } })
  })

  test('is left over when it is cancelled between two attempts', async () => {
    const asked = gate()
    world.toService.rule = passing => {
      if (!isCall(passing)) return pass
      asked.open()
      return { kind: 'loseAnswer' }
    }
    const caseNo = await startCall()
    await asked.opened
    await handleOf(caseNo).cancel()
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled', leftOver })
  })

  test('is left over when the flow is cancelled after it', async () => {
    const caseNo = await startCall()
    await world.statusWhen(caseNo, ({ step }) => step === 'pause')
    await handleOf(caseNo).cancel()
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled', leftOver })
  })

  test('is not when the service refuses it after HTTP 429', async () => {
    let calls = 0
    world.toService.rule = passing => (isCall(passing) && ++calls <= 2 ? { kind: 'status', status: 429 } : pass)
    const caseNo = await startCall({ customerUid: 'nobody-has-it' })
    const { cause } = await resultOf(caseNo).catch(error => error)
    expect(cause).toMatchObject({ type: 'InvalidUserUid' })
    expect(cause.details).toEqual([{ requestId: expect.any(String) }])
    expect(calls).toBe(3)
  })

  test.each([
    ['', 'relocation'],
    [', and its step names the code', 'strictRelocation'],
  ])('is not when the service refuses it%s', async (_, flow) => {
    const caseNo = await startCall({ flow, customerUid: 'nobody-has-it' })
    const { cause } = await resultOf(caseNo).catch(error => error)
    expect(cause).toMatchObject({ type: 'InvalidUserUid' })
    // No left-over.
    expect(cause.details).toEqual([{ requestId: expect.any(String) }])
  })
})

describe('on a server that suggests a new run after few events', () => {
  const world = useWorld({}, useOwnTemporal(['limit.historyCount.suggestContinueAsNew=4']))
  const { voided, state, start, bringIn, handleOf, give, resultOf, putBack } = useWorkshop(world)

  /** Waits until the run of the step has nothing to do. */
  async function settledIn(caseNo: string, name: string) {
    const status = await world.statusWhen(caseNo, ({ step }) => step === name)
    await eventually(async () => (await eventsOf(world, caseNo)).some(event => event.timerStartedEventAttributes))
    return status
  }

  test('the flow continues as new between its steps, and loses nothing', async () => {
    const caseNo = await start(2)
    const { shipments } = await settledIn(caseNo, 'bringIn')
    await world.open(requireRole(shipments, 'device'), 'deliveryCode')
    await settledIn(caseNo, 'offer')
    const given = await give(caseNo, agreed)
    await settledIn(caseNo, 'putBack')
    expect(await give(caseNo, agreed)).toEqual(given)
    expect(await putBack(caseNo)).toMatchObject({
      outcome: 'completed',
      report: 'repaired',
      cents: 4_900,
      leftOver: [],
    })
    const runs = await runsOf(world, caseNo)
    const begun = workshop.steps.flatMap((_, index) => (index === 0 ? [] : [index]))
    expect([...new Set(runs.flatMap(({ progress }) => progress?.step ?? []))]).toEqual(begun)
    expect(await replay(await bundle(), runs)).toEqual([])
  })

  test('so does its undo', async () => {
    state.failures = 1
    const caseNo = await start(2)
    const device = await bringIn(caseNo)
    await give(caseNo, agreed)
    await settledIn(caseNo, 'putBack')
    await handleOf(caseNo).cancel()
    expect(await resultOf(caseNo)).toMatchObject({
      outcome: 'cancelled',
      leftOver: [
        { step: 'repair', shipmentUid: null },
        { step: 'intakeBooking', shipmentUid: device.shipmentUid, reason: inside },
      ],
    })
    expect(voided).toHaveLength(1)
    const shipments = await world.shipmentsOf(caseNo)
    expect(shipments.map(({ stateCode }) => stateCode).toSorted()).toEqual(['Cancelled', 'ReadyForPickup'])
    const runs = await runsOf(world, caseNo)
    const undone = runs.flatMap(({ progress }) => (progress?.ending === undefined ? [] : [progress.undo.length]))
    expect(undone.length).toBeGreaterThan(0)
    expect(await replay(await bundle(), runs)).toEqual([])
  })

  test('callers of its first booking get it in a later run, before the second one', async () => {
    const caseNo = await start(1)
    const device = await bringIn(caseNo)
    await settledIn(caseNo, 'offer')
    expect((await runsOf(world, caseNo)).length).toBeGreaterThan(1)
    const { shipmentUid } = device
    expect(await handleOf(caseNo).executeUpdate(waitForBooking.name)).toMatchObject({ shipments: [{ shipmentUid }] })
    await handleOf(caseNo).cancel()
    expect(await resultOf(caseNo)).toMatchObject({ outcome: 'cancelled', leftOver: [{ reason: inside }] })
  })
})

function withDetails(details: unknown[]): Error {
  return ApplicationFailure.create({ message: 'The printer is off.', details })
}

function withCause(error: Error): Error {
  return Object.assign(error, { cause: error })
}
