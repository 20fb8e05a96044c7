import { randomUUID } from 'node:crypto'
import { ApplicationFailure } from '@temporalio/common'
import { NativeConnection, Worker } from '@temporalio/worker'
import { describe, expect, inject, test } from 'vitest'
import type { Json } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { waitForBooking } from '#flows/messages'
import { eventually } from '../support/eventually.ts'
import { codeOf, useWorkshop } from '../support/flows/useWorkshop.ts'
import { assembly } from '../support/flows/workshop.ts'
import { useWorld } from '../support/world/useWorld.ts'

// Temporal takes no response above four megabytes. It ends a flow whose failure is above two.

const taskQueue = `workbench-${randomUUID()}`
const [label, assemble] = assembly.steps

/** Fields with a list of texts, in its request, in a result and in an answer. */
const listing: FlowDeclaration = {
  ...assembly,
  name: 'listing',
  input: { names: { list: 'text' } },
  steps: [
    { ...label, keep: { names: { list: 'text' } } },
    {
      name: 'approval',
      summary: 'Ask.',
      ask: { yes: { names: { list: 'text' } } },
      who: 'staff',
      window: '1d',
      onTimeout: 'cancel',
    },
  ],
}

/** Its device is assembled, and taken apart, by a worker in another language. */
const workbench: FlowDeclaration = {
  ...assembly,
  name: 'workbench',
  steps: [label, { ...assemble, taskQueue, retry: 'once', undo: 'takeApart' }],
}

/** The device can stay in parts, and the flow gives up after a few attempts. */
const repeating: FlowDeclaration = {
  ...assembly,
  name: 'repeating',
  steps: [label, { ...assemble, taskQueue, timeout: '3s', window: '3s', onError: { Broken: 'continue' } }],
}

/** A list of texts in which each member is a number: some 5 MB of faults. */
const numbers: Json = Array.from({ length: 110_000 }, () => 7)
const [noNames, firstFault] = [{ names: [] }, 'names[0]: must be a text, got 7.']

const world = useWorld()
const { startFlow, handleOf, give, state, printed, voided } = useWorkshop(world, {
  flows: [listing, workbench, repeating],
})

function startListing(names: Json): Promise<string> {
  return startFlow('listing', { booked: 0, request: { names } })
}

test('a request with thousands of faults is refused', async () => {
  const caseNo = await startListing(numbers)
  expect(await world.flows.waitForEnd(caseNo, { timeout: 20_000 })).toMatchObject({
    kind: 'Refused',
    code: 'InvalidFlowInput',
    message: expect.stringContaining(`request.${firstFault}`),
  })
})

test('an answer with thousands of faults is refused, and the next one is taken', async () => {
  state.label = () => noNames
  const caseNo = await startListing([])
  await world.statusWhen(caseNo, ({ asks }) => asks !== null)
  const update = { step: 'approval', answer: 'yes' }
  expect(await codeOf(give(caseNo, { ...update, fields: { names: numbers } }))).toBe('InvalidFlowInput')
  expect(await give(caseNo, { ...update, fields: noNames })).toMatchObject({ answer: 'yes' })
  expect(await handleOf(caseNo).result()).toMatchObject({ outcome: 'completed' })
})

test('a flow whose activity returns thousands of faults fails with its code, and is undone', async () => {
  state.label = () => ({ names: numbers })
  const caseNo = await startListing([])
  expect(await world.flows.waitForEnd(caseNo, { timeout: 20_000 })).toMatchObject({
    kind: 'Refused',
    code: 'InvalidActivityResult',
    message: expect.stringContaining(`result.${firstFault}`),
  })
  expect(voided).toHaveLength(1)
})

test('a message of a megabyte reaches every caller in short, and the undo goes on after one in a type', async () => {
  // A parcel has four bytes, and the stack repeats the message. The letter makes the cut fall into a parcel.
  const parcels = `p${'\u{1f4e6}'.repeat(220_000)}`
  const activities = {
    assemble: fail({ type: 'Broken', message: parcels }),
    takeApart: fail({ type: 'Stuck'.repeat(200_000), message: 'The screws are rusty.' }),
  }
  await withTeam(activities, async () => {
    const caseNo = await startFlow('workbench', { booked: 0, request: {} })
    const callers = Array.from({ length: 5 }, () => codeOf(handleOf(caseNo).executeUpdate(waitForBooking.name)))
    const ended = await world.flows.waitForEnd(caseNo, { timeout: 20_000 })
    expect(await Promise.all(callers)).toEqual(callers.map(() => 'Broken'))
    expect(ended).toMatchObject({
      kind: 'Refused',
      code: 'Broken',
      message: expect.stringMatching(/^p\u{1f4e6}{1999}\.\.\.$/u),
      leftOver: [{ step: 'assemble', reason: expect.stringMatching(/^it could not be undone: Stuck.{195}\.\.\.$/) }],
    })
  })
  expect(voided).toHaveLength(1)
})

test.each([3, 5])('a flow whose activity returns %d megabytes fails at once, with the size', async megabytes => {
  state.label = () => ({ names: [], more: 'm'.repeat(megabytes * 1_000_000) })
  const caseNo = await startListing([])
  expect(await world.flows.waitForEnd(caseNo, { timeout: 20_000 })).toMatchObject({
    kind: 'Refused',
    code: 'OutputTooLarge',
    message: expect.stringMatching(/^The result of the activity printLabel must have at most 1572864 bytes, got \d000/),
  })
  expect(printed).toHaveLength(1)
})

test('a flow whose activity in another worker returns three megabytes fails with the reason of Temporal', async () => {
  const activities = { assemble: async () => 'm'.repeat(3_000_000), takeApart: async () => ({}) }
  await withTeam(activities, async () => {
    const caseNo = await startFlow('workbench', { booked: 0, request: {} })
    expect(await world.flows.waitForEnd(caseNo, { timeout: 20_000 })).toMatchObject({
      kind: 'Refused',
      code: 'RunGivenUp',
      message: expect.stringMatching(
        /^No successful attempt in the attempts that its retry policy allows: PayloadsTooLarge: .*exceeded the error limit\. /,
      ),
    })
  })
})

describe('a failure that Temporal cuts', () => {
  // Temporal ends the attempts, and keeps type and message as the cause of a failure of its own.
  test.each([
    { what: 'a message', message: 'm'.repeat(1_300_000) },
    { what: 'details', message: 'm', details: ['d'.repeat(3_000_000)] },
  ])('leads to the step that its code names: $what of megabytes', async ({ what: _, ...failure }) => {
    await withTeam({ assemble: fail({ type: 'Broken', ...failure }) }, async () => {
      const caseNo = await startFlow('repeating', { booked: 0, request: {} })
      expect(await world.flows.waitForEnd(caseNo, { timeout: 20_000 })).toMatchObject({
        kind: 'Ended',
        result: { outcome: 'completed' },
      })
    })
  })

  test('has its text in that of the flow, even if it were retryable', async () => {
    const failure = { type: 'Busy', message: 'm'.repeat(1_300_000), nonRetryable: false }
    await withTeam({ assemble: fail(failure) }, async () => {
      const caseNo = await startFlow('repeating', { booked: 0, request: {} })
      expect(await world.flows.waitForEnd(caseNo, { timeout: 20_000 })).toMatchObject({
        kind: 'Refused',
        code: 'RunGivenUp',
        message: expect.stringMatching(/^No successful attempt before a failure of over two megabytes: Busy: m{3900}/),
      })
    })
  })

  // Between two attempts, Temporal keeps four kilobytes of a failure.
  test('has its text in that of the flow when the window passes without a worker', async () => {
    const caseNo = await startFlow('repeating', { booked: 0, request: {} })
    const failure = { type: 'Busy', message: 'm'.repeat(5_000), nonRetryable: false }
    await withTeam({ assemble: fail(failure) }, () =>
      eventually(async () => {
        const [assembling] = (await handleOf(caseNo).describe()).raw.pendingActivities ?? []
        return assembling?.lastFailure ?? undefined
      }),
    )
    expect(await world.flows.waitForEnd(caseNo, { timeout: 20_000 })).toMatchObject({
      kind: 'Refused',
      code: 'RunGivenUp',
      message: expect.stringMatching(/^No successful attempt within the window of the step: Busy: m{3900}/),
    })
  })
})

/** An activity that fails. */
function fail(failure: Parameters<typeof ApplicationFailure.create>[0]) {
  return async (): Promise<never> => {
    throw ApplicationFailure.create({ nonRetryable: true, ...failure })
  }
}

/** Runs the worker of another team, whose failures nothing cuts. */
async function withTeam(activities: object, work: () => Promise<unknown>): Promise<void> {
  const { address, namespace } = inject('temporal')
  const connection = await NativeConnection.connect({ address })
  try {
    const worker = await Worker.create({ connection, namespace, taskQueue, activities })
    await worker.runUntil(work)
  } finally {
    await connection.close()
  }
}
