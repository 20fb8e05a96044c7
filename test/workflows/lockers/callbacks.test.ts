import { describe, expect, test } from 'vitest'
import type { LeftOver, PlannedBook, ShipmentStatus } from '#flows'
import { createContext, type PlannedFlow } from '../../../workflows/context.ts'
import { receiveCallback } from '../../../workflows/lockers/callbacks.ts'
import { isBooked } from '../../../workflows/lockers/proof.ts'
import { createPending } from '../../../workflows/pending.ts'
import type { RunInfo, Runtime } from '../../../workflows/runtime.ts'
import { startToken } from '../../../workflows/tokens.ts'
import { heldIn, issueSteps, type ProgressChanges, planOf, progressOf } from '../../support/flows/progress.ts'

const input = { caseNo: 'case-1', request: {} }
const info = { workflowType: 'issue' } as RunInfo

/** A flow whose handlers need no runtime. */
const newFlow = () => createContext({} as Runtime, info, input)

const statusOf = (shipmentUid: string, stateCode = 'ReadyForPickup'): ShipmentStatus => ({
  shipmentUid,
  stateCode,
  stateStart: '',
})

describe('a flow that books keeps an early callback', () => {
  test('while many arrive about another shipment', () => {
    const flow = newFlow()
    receiveCallback(flow, statusOf('own'))
    for (let count = 0; count < 100; count++) receiveCallback(flow, statusOf('foreign', `state ${count}`))
    const kept = flow.bufferedCallbacks.map(({ stateCode }) => stateCode)
    expect(kept).toEqual(['ReadyForPickup', ...Array.from({ length: 19 }, (_, index) => `state ${index + 81}`)])
  })

  test('unless twenty younger ones are about other shipments', () => {
    const flow = newFlow()
    for (let count = 0; count <= 20; count++) receiveCallback(flow, statusOf(`shipment ${count}`))
    expect(flow.bufferedCallbacks.map(({ shipmentUid }) => shipmentUid)).toEqual(
      Array.from({ length: 20 }, (_, index) => `shipment ${index + 1}`),
    )
  })

  test('of each of the bookings that run beside each other', () => {
    const flow = newFlow()
    flow.progress = progressOf('ReadyForDropOff', { plan: planOf(issueSteps), shipments: [] })
    flow.work = ['left', 'right'].map(id => createPending(startToken(id, '', 0, 1, 0)))
    for (let count = 0; count <= 40; count++) receiveCallback(flow, statusOf(`shipment ${count}`))
    expect(flow.bufferedCallbacks.map(({ shipmentUid }) => shipmentUid)).toEqual(
      Array.from({ length: 40 }, (_, index) => `shipment ${index + 1}`),
    )
  })

  test('while messages without a shipment arrive', () => {
    const flow = newFlow()
    receiveCallback(flow, statusOf('own'))
    for (let count = 0; count < 100; count++) receiveCallback(flow, null as unknown as ShipmentStatus)
    expect(flow.bufferedCallbacks[0]).toEqual(statusOf('own'))
  })
})

describe('a create without a response has taken effect', () => {
  const [booking] = issueSteps
  const issuing: PlannedBook = {
    ...booking,
    name: 'issuing',
    operation: 'CreateLocalShipmentAsIssueFromStock',
    request: { value: { PriorShipmentUid: 'stock' } },
  }
  const plan = planOf([booking, issuing])
  const left = (shipmentUid: string): LeftOver => ({ step: 'booking', shipmentUid, reason: '' })

  test.each<[string, ShipmentStatus | null, ProgressChanges, boolean]>([
    ['after a callback of the shipment that it issues', statusOf('stock', 'Completed'), {}, true],
    ['after one of an active shipment that the flow does not know', statusOf('new'), {}, true],
    ['not after one of an ended shipment', statusOf('new', 'Completed'), {}, false],
    ['not after one of a state without a meaning', statusOf('new', 'unheardOf'), {}, false],
    ['not after a message without a shipment', null, {}, false],
    [
      'not after one of a shipment that an earlier step has left over',
      statusOf('old'),
      { leftOver: [left('old')] },
      false,
    ],
    ['not after one of a duplicate that stays', statusOf('old'), { duplicatesLeft: [left('old')] }, false],
    ['not after one of stock that an earlier step has booked', statusOf('S1'), {}, false],
    [
      'not after one of stock that the step issues and an earlier one has booked',
      statusOf('stock'),
      { shipments: [{ ...heldIn('WaitForReceiver'), shipmentUid: 'stock' }] },
      false,
    ],
  ])('%s', (_, status, changes, isProof) => {
    const flow = newFlow() as PlannedFlow
    flow.progress = progressOf('ReadyForPickup', { plan, ...changes })
    flow.bufferedCallbacks = [status as ShipmentStatus]
    expect(isBooked(flow, issuing)).toBe(isProof)
  })

  test.each([
    ['not after one of a shipment that a booking beside it may have made', statusOf('new'), false],
    ['after one of the shipment that it issues, beside another booking', statusOf('stock'), true],
  ])('%s', (_, status, isProof) => {
    const flow = newFlow() as PlannedFlow
    const undo = [0, 1].map(step => ({ step, state: 'started' as const }))
    flow.progress = progressOf('ReadyForPickup', { plan, undo, bookings: {}, shipments: [] })
    flow.bufferedCallbacks = [status]
    expect(isBooked(flow, issuing)).toBe(isProof)
  })
})
