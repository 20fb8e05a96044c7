import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { StateCode } from '#contract/terms'
import { checkFlows, edgesOf } from '#flows/check'
import type { FlowDeclaration, OnTimeout, Step, WaitStep } from '#flows/declaration'
import { explore } from '../../../flows/check/ways/explore.ts'
import { checkWays } from '../../../flows/check/ways/index.ts'
import { exploreJointly } from '../../support/flows/jointExploration.ts'
import { linkedFlow } from '../../support/flows/linkedFlows.ts'
import { seeded } from '../../support/seed.ts'

/** LOCKERFLOW_TEST_RUNS asks for more. */
const parameters = seeded(Number(process.env.LOCKERFLOW_TEST_RUNS ?? 200))
console.info(`linked flows: LOCKERFLOW_TEST_SEED=${parameters.seed}`)

test('the states of each part lead to the edges and findings of all shipments together', { timeout: 120_000 }, () => {
  fc.assert(
    fc.property(linkedFlow('linked', { maxSteps: 6, maxBookings: 3 }), flow => {
      const joint = exploreJointly(flow)
      const edges = (edgesOf(flow) ?? []).map(({ step, cause, next }) => `${step} ${cause} ${next}`)
      expect(edges.toSorted()).toEqual(joint.edges)
      const found = checkWays(flow).map(({ at, code }) => `${at.join('.')} ${code}`)
      expect(found.toSorted()).toEqual(joint.findings)
    }),
    parameters,
  )
})

const summary = 'A step of a test.'
const parcel = {
  PupUid: 'pup-1',
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 10, height: 10, length: 10 },
}
const toUser = { ...parcel, ToUserUid: { from: 'input.userUid' } } as const
const fromUser = { ...parcel, FromUserUid: { from: 'input.userUid' } } as const

function book(role: string): Step {
  return { name: `${role}Booked`, summary, book: 'CreateLocalShipmentAsIssue', as: { issue: role }, request: toUser }
}

function cancel(role: string): Step {
  const request = { shipmentUid: { from: `${role}.shipmentUid` as const } }
  return { name: `${role}Cancelled`, summary, call: 'CancelShipment', request }
}

function wait(name: string, roles: readonly string[], state: StateCode, onTimeout: OnTimeout): WaitStep {
  return { name, summary, wait: Object.fromEntries(roles.map(role => [role, state])), window: '1d', onTimeout }
}

function withSteps(steps: readonly Step[]): FlowDeclaration {
  const used = JSON.stringify(steps)
  const fields = { userUid: 'uid', stockUid: 'uid', isDelayed: 'boolean' } as const
  return {
    name: 'parcels',
    summary,
    input: Object.fromEntries(Object.entries(fields).filter(([name]) => used.includes(`input.${name}`))),
    steps,
  }
}

describe('the exploration keeps apart', () => {
  const delayed: Step = {
    name: 'delayedBooked',
    summary,
    book: 'CreateLocalShipment',
    as: { shipment: 'delayed' },
    request: { ...fromUser, IsReceiverDelayed: { from: 'input.isDelayed' } },
  }
  const faultsOf = (steps: readonly Step[]) => checkFlows([withSteps(steps)]).map(({ code, step }) => `${step} ${code}`)

  // Both cannot be cancelled, since one has ended.
  test('shipments of which one has been collected, one or the other by an answer', () => {
    const chosen: Step = { name: 'chosen', summary, ask: { one: {}, other: {} }, who: 'staff', window: null }
    const fetched = (role: string): Step => ({
      ...wait(`${role}Fetched`, [role], 'Completed', 'ask'),
      when: { 'chosen.answer': role },
    })
    const steps: Step[] = [
      ...['one', 'other'].map(book),
      chosen,
      ...['one', 'other'].map(fetched),
      ...['one', 'other'].map(cancel),
      { name: 'rest', summary, sleep: '1h' },
    ]
    expect(faultsOf(steps)).toEqual(['rest StepUnreachable'])
    expect(faultsOf(steps.filter(step => step !== chosen && !('when' in step)))).toEqual([])
  })

  test('shipments that have arrived, and those whose window has passed', () => {
    const steps: Step[] = [
      delayed,
      wait('placed', ['delayed'], 'WaitForReceiver', 'ask'),
      wait('ready', ['delayed'], 'ReadyForPickup', { goTo: 'fetched' }),
      { ...wait('fetched', ['delayed'], 'Completed', 'ask'), when: { 'ready.ended': 'timedOut' } },
    ]
    expect(faultsOf(steps)).toEqual(['fetched WaitNeverEnds'])
  })

  test('paths on which a state is certain, and those on which it only happens to be reached', () => {
    const stocked = wait('stocked', ['stock'], 'ReadyForPickup', 'ask')
    const steps: Step[] = [
      {
        name: 'booked',
        summary,
        book: 'CreateLocalShipmentAsIntakeAndCircularStock',
        request: { ...fromUser, FromUserUid: 'robin' },
      },
      wait('returned', ['intake'], 'Completed', 'ask'),
      { ...stocked, when: { 'input.isDelayed': true } },
      { name: 'rest', summary, when: { 'input.isDelayed': false }, sleep: '1h' },
      { ...stocked, name: 'stockedAgain' },
    ]
    expect(faultsOf(steps)).toEqual([])
  })
})

describe('twenty shipments have no more situations than steps if they', () => {
  const roles = Array.from({ length: 20 }, (_, at) => `parcel${at}`)
  const booked = roles.map(book)
  const request = { PriorShipmentUid: { from: 'input.stockUid' }, ToUserUid: { from: 'input.userUid' } } as const
  /** Stock of others can be in three states. */
  const issued = roles.map(
    (role): Step => ({
      name: `${role}Issued`,
      summary,
      book: 'CreateLocalShipmentAsIssueFromStock',
      as: { issue: role },
      request,
    }),
  )
  const ready = roles.map((role, at) =>
    wait(`${role}Ready`, [role], 'ReadyForPickup', { goTo: `${roles[at + 1] ?? 'all'}Ready` }),
  )
  const allReady = wait('allReady', roles, 'ReadyForPickup', { goTo: 'allFetched' })
  const fetched = roles.map(role => wait(`${role}Fetched`, [role], 'Completed', 'ask'))
  const allFetched = wait('allFetched', roles, 'Completed', 'ask')

  test.each<[string, Step[]]>([
    ['are fetched one after the other', [...booked, ...fetched]],
    ['come from stock', [...issued, ...fetched]],
    ['need not be ready in time', [...booked, ...ready, allReady, allFetched]],
  ])('%s', (_, steps) => {
    const entered: string[] = []
    const visitor = { entered: ({ step }: { step: number }) => entered.push(steps[step]?.name ?? '') }
    const flow = withSteps(steps)
    expect(explore(flow, { others: true }, visitor)).toBe(true)
    expect(entered).toEqual(steps.map(({ name }) => name))
    expect(checkFlows([flow])).toEqual([])
  })
})
