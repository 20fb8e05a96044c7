import { describe, expect, test } from 'vitest'
import { cancellableIn } from '#activities'
import { allSteps, type FlowDeclaration, type BookingFlowName as FlowName, bookingFlows as flows } from '#flows'
import type { Step } from '#flows/declaration'

type Row = readonly [flow: FlowName, request: Record<string, unknown>, cancellable: Record<string, readonly string[]>]

const prior = { PriorShipmentUid: 'stock' }

/** The roles that clean-up may cancel in each step, written down once to compare the rules of the machines with. */
const rows: readonly Row[] = [
  ['collectByDispatcher', {}, { collect: [] }],
  ['collectByDispatcher', { KeepBookedAfterPickUp: true }, { kept: [] }],
  ['collectByUser', {}, { collect: [] }],
  ['collectByUser', { KeepBookedAfterPickUp: true }, { kept: [] }],
  ['intake', {}, { dropOff: ['intake'], collect: [] }],
  ['intakeAndCircularStock', {}, { dropOff: ['intake', 'stock'] }],
  ['issue', {}, { dropOff: ['issue'], pickUp: [] }],
  ['issueAndSwapIntake', {}, { dropOff: ['issue', 'intake'], swap: ['intake'], collect: [] }],
  ['issueFromStock', prior, { ready: [], pickUp: [] }],
  ['issueFromStockAndSwapIntake', prior, { ready: ['intake'], swap: ['intake'], collect: [] }],
  [
    'issueFromStockAndSubsequentIntakeAndCircularStock',
    prior,
    { ready: ['intake', 'stock'], pickUp: ['intake', 'stock'], return: ['intake', 'stock'], restocked: [] },
  ],
  ['localShipment', {}, { dropOff: ['shipment'], pickUp: [] }],
  ['localShipment', { IsReceiverDelayed: true }, { earlyDropOff: ['shipment'], set: [], naming: [], pickUp: [] }],
  ['localShipment', { SwapsShipmentUid: 'old' }, { dropOff: ['shipment'], pickUp: [] }],
  ['stock', {}, { dropOff: ['stock'] }],
  ['stockAfterSwapIntake', { SwapsShipmentUid: 'old' }, { swap: ['stock'] }],
]

const hasToWait = (step: Step) => 'wait' in step || 'ask' in step

function cancellable(flow: FlowDeclaration, request: Record<string, unknown>): Record<string, readonly string[]> {
  const waits = [...cancellableIn(flow, request)].filter(([step]) => hasToWait(step))
  return Object.fromEntries(waits.map(([{ name }, roles]) => [name, roles]))
}

describe('clean-up may cancel', () => {
  test.each(rows)('of %s with %j: %j', (flow, request, expected) => {
    expect(cancellable(flows[flow], request)).toEqual(expected)
  })

  test('no role that the declaration keeps', () => {
    const { steps, ...flow } = flows.issueAndSwapIntake
    const [booking, dropOff, ...others] = steps
    const keeping: FlowDeclaration = { ...flow, steps: [booking, { ...dropOff, keep: ['intake'] }, ...others] }
    expect(cancellable(keeping, {})).toMatchObject({ dropOff: ['issue'], swap: ['intake'] })
  })
})

test('every flow has a row for each of its steps', () => {
  for (const flow of Object.values<FlowDeclaration>(flows)) {
    const listed = rows.filter(([name]) => name === flow.name).flatMap(([, , steps]) => Object.keys(steps))
    expect(new Set(listed), flow.name).toEqual(
      new Set(
        allSteps(flow.steps)
          .filter(hasToWait)
          .map(({ name }) => name),
      ),
    )
  }
})
