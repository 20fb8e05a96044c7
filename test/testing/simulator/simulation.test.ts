import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { get } from 'node:http'
import { connect, createServer } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { afterAll, describe, expect, test } from 'vitest'
import type { FlowDeclaration, RunStep, Step } from '#flows/declaration'
import { closeWorlds, openSimulation, simulate } from '#testing/simulator'
import { runInside } from '../../../testing/simulator/isolation.ts'
import { SeededRandom } from '../../../testing/simulator/random.ts'

const loan = {
  flow: 'issueFromStockAndSubsequentIntakeAndCircularStock',
  before: { item: 'inStock' },
  request: { PriorShipmentUid: { $item: 'item' }, ToUserUid: { $user: 1 } },
} as const
const issue = { flow: 'issue', request: { $example: 'CreateLocalShipmentAsIssue' } } as const

afterAll(closeWorlds)

test('an event at a locker that a failed flow has not booked names the failure', async () => {
  const request = { PupUid: { $pup: 1 } }
  await expect(simulate({ flow: 'issue', request, story: [{ dropOff: 'issue' }] })).rejects.toThrow(
    /^issue: must be a booked role .*\(none\)\. The flow has failed with InvalidFlowInput: request: AllowLargerLockers/,
  )
})

test('a whole loan', async () => {
  const run = await simulate({ ...loan, story: [{ pickUp: 'issue' }, { after: '1d' }, { dropOff: 'intake' }] })
  expect(run).toMatchObject({
    outcome: 'completed',
    leftOver: [],
    bookings: [
      { role: 'issue', stateCode: 'Completed' },
      { role: 'intake', stateCode: 'Completed' },
      { role: 'stock', stateCode: 'ReadyForPickup' },
    ],
  })
  expect(run.edges.map(({ step, cause, next }) => `${step} ${cause} ${next}`)).toEqual([
    'booking reached ready',
    'ready reached pickUp',
    'pickUp reached return',
    'return reached restocked',
    'restocked reached end',
  ])
})

describe('time', () => {
  test('passes at once, and windows pass with it', async () => {
    const simulation = await openSimulation()
    await simulation.start(issue)
    await simulation.apply({ dropOff: 'issue' })
    await simulation.advance(3 * 86_400_000)
    expect(simulation.status()).toMatchObject({ step: 'pickUp', overdue: true })
    expect(simulation.currentDetails).toContain('Overdue.')
    expect(await simulation.apply({ decide: 'cancel' })).toEqual({ kind: 'done' })
    expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [{ step: 'booking' }] })
    await simulation.close()
  })

  test('is that of the process outside of the simulation', async () => {
    const before = Date.now()
    await simulate({ ...issue, startAt: Date.UTC(2040, 0, 1), story: [] })
    expect(Date.now() - before).toBeLessThan(600_000)
  })
})

test('a simulation repeats for a seed, whatever ran before it', async () => {
  const story = [{ pickUp: 'issue' }, { after: '10d' }, { dropOff: 'intake' }] as const
  const first = await simulate({ ...loan, story, seed: 7, cancelling: true })
  await simulate({ ...issue, story: [{ dropOff: 'issue' }], seed: 8 })
  expect(await simulate({ ...loan, story, seed: 7, cancelling: true })).toEqual(first)
  expect((await simulate({ ...loan, story, seed: 8 })).timeLine).not.toEqual(first.timeLine)
})

describe('the shipments before a flow', () => {
  const story = [{ pickUp: 'issue' }] as const

  test('are the same for every seed, and as they were whatever the flow before did with them', async () => {
    const first = await simulate({ ...loan, story, seed: 7 })
    const other = await simulate({ ...loan, story: [{ pickUp: 'issue' }, { dropOff: 'intake' }], seed: 9 })
    expect(other.bookings[0]?.shipmentUid).toBe(first.bookings[0]?.shipmentUid)
    expect(other.bookings[1]?.shipmentUid).not.toBe(first.bookings[1]?.shipmentUid)
    expect(await simulate({ ...loan, story, seed: 7 })).toEqual(first)
  })

  test('exist in the simulation that has them only', async () => {
    await simulate({ ...loan, story })
    const simulation = await openSimulation()
    expect((await simulation.call('GetShipments', {})).items).toEqual([])
    await simulation.start({ ...loan, before: { item: 'inStock', another: 'announced' } })
    const { items } = await simulation.call('GetShipments', {})
    expect(items).toHaveLength(4)
    await simulation.close()
    const next = await openSimulation()
    await next.start(issue)
    expect((await next.call('GetShipments', {})).items).toHaveLength(1)
    await next.close()
  })

  test('have the times of their simulation', async () => {
    const startAt = Date.UTC(2031, 4, 5)
    await simulate({ ...loan, story })
    const { timeLine } = await simulate({ ...loan, story, startAt })
    expect(timeLine[0]?.at).toBe(startAt)
    const simulation = await openSimulation({ startAt })
    await simulation.start(loan)
    const { items } = await simulation.call('GetShipments', {})
    expect(new Set(items.map(({ created }) => Date.parse(`${created}Z`)))).toEqual(new Set([startAt]))
    await simulation.close()
  })
})

describe('a cancellation during the work of a run step', () => {
  const print: RunStep = {
    name: 'label',
    summary: 'Print.',
    run: 'print',
    with: null,
    keep: { no: 'text' },
    undo: 'tear',
    timeout: '5h',
  }
  const pause: Step = { name: 'pause', summary: 'The label dries.', sleep: '1d' }
  const printing: FlowDeclaration = { name: 'printing', summary: 'A label is printed.', steps: [print, pause] }
  const runs = { print: { returns: { no: 'L-1' }, takes: '2h' } } as const

  test.each([
    ['stops it if it has a heartbeat', { heartbeat: '10s' }, 0, { output: null, certain: false }],
    ['waits for its end without one', {}, 1, { output: { no: 'L-1' }, certain: true }],
    ['waits for its timeout without one', { timeout: '90m' }, 0.5, { output: null, certain: false }],
  ] as const)('%s', async (_, fields, hours, undone) => {
    const flows = { printing: { ...printing, steps: [{ ...print, ...fields }, pause] } }
    const story = [{ after: '1h' }, { cancel: 'test' }, { after: '2h' }] as const
    const { outcome, timeLine } = await simulate({ flow: 'printing', flows, runs, request: {}, story })
    expect(outcome).toBe('cancelled')
    const undo = timeLine.find(entry => entry.kind === 'activityScheduled' && entry.activity === 'tear')
    expect(undo).toMatchObject({ args: [undone, {}] })
    const cancelled = timeLine.find(({ kind }) => kind === 'activityCancelRequested')
    expect((undo?.at ?? 0) - (cancelled?.at ?? 0)).toBe(hours * 3_600_000)
  })

  test('waits for the end of an attempt whose failure is not repeated then', async () => {
    const story = [
      { after: '1h' },
      { fail: { run: 'print', fault: 'unavailable' } },
      { cancel: 'test' },
      { after: '2h' },
    ] as const
    const run = await simulate({ flow: 'printing', flows: { printing }, runs, request: {}, story })
    expect(run.outcome).toBe('cancelled')
    const ended = run.timeLine.filter(entry => entry.kind === 'activityFailed')
    expect(ended).toMatchObject([{ activity: 'print', attempts: 1 }])
  })

  test.each([
    [
      { runs: { print: { ...runs.print, takes: 'soon' as '1h' } }, story: [] },
      'takes: must be a duration such as "3d", got "soon".',
    ],
    [{ runs, story: [{ after: 'soon' as '1h' }] }, 'after: must be a duration such as "3d", got "soon".'],
  ])('a wrong duration is an error that names its field: %j', async (options, message) => {
    await expect(simulate({ flow: 'printing', flows: { printing }, request: {}, ...options })).rejects.toThrow(message)
  })
})

test.each([
  [{ $user: 12 }, '$user: must be one of 1, 2, 3, 4, 5, 6, 7, 8, 9, got 12.'],
  [{ $pup: 1_000 }, /^\$pup: must be at most \d+, got 1000\.$/],
  [{ $item: 'toy' }, '$item: must be a name from `before`, one of item, got toy.'],
  [{ $in: 'soon' }, '$in: must be a duration such as "3d", got soon.'],
])('a placeholder without a value is an error: %j', async (value, message) => {
  const request = { ...loan.request, ToUserUid: value }
  await expect(simulate({ ...loan, request, story: [] })).rejects.toThrow(message)
})

describe('a socket', () => {
  const port = 65_000
  const host = '127.0.0.1'
  const ways: Readonly<Record<string, () => unknown>> = {
    'a connection': () => connect({ port, host }),
    'a request': () => get(`http://${host}:${port}/`),
    'a request by TLS': () => connectTls({ port, host }),
    'a listener': () => createServer().listen(0, host),
    'a datagram': () => createSocket('udp4').send('text', port, host),
    'a listener for datagrams': () => createSocket('udp4').bind(0, host),
  }

  test.each(Object.entries(ways))('of a simulation is an error: %s', async (_, open) => {
    // The order of delivery is chosen inside of the simulation.
    const delivery = (arrived: readonly unknown[]) => {
      open()
      return [...arrived.keys()]
    }
    await expect(simulate({ ...issue, delivery, story: [{ dropOff: 'issue' }] })).rejects.toThrow(
      'A simulation must not open a socket.',
    )
  })

  test('of fetch is an error, also later', async () => {
    const inside = { now: () => 0, random: new SeededRandom(1) }
    const fetching = runInside(inside, async () => {
      await setImmediate()
      return fetch(`http://${host}:${port}/`)
    })
    await expect(fetching).rejects.toMatchObject({ cause: { message: 'A simulation must not open a socket.' } })
  })

  test('outside of it opens', async () => {
    await simulate({ ...issue, story: [] })
    const server = createServer().listen(0, host)
    await once(server, 'listening')
    server.close()
    const datagrams = createSocket('udp4').bind(0, host)
    await once(datagrams, 'listening')
    datagrams.close()
  })
})
