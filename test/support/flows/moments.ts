import type { FlowDeclaration } from '#flows/declaration'
import { parcel } from '../world/apiWorld.ts'

const request = { ...parcel, PupUid: { from: 'input.pickUpPointUid' } } as const
const lastWait = { window: '1h', onTimeout: 'cancel' } as const

/** Ways on by time: a wait and a question that lead to a later step, and a sleep until a moment. */
export const moments = {
  name: 'moments',
  summary: 'An item is sent on, unless its receiver is late.',
  input: {
    pickUpPointUid: 'uid',
    customerUid: 'uid',
    neededBy: 'instant',
    wakeAt: 'instant',
    isUrgent: { optional: 'boolean' },
  },
  steps: [
    {
      name: 'booking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsIssue',
      request: { ...request, ToUserUid: { from: 'input.customerUid' } },
    },
    {
      name: 'arrival',
      summary: 'The item arrives.',
      wait: { issue: 'ReadyForPickup' },
      window: '1h',
      onTimeout: { goTo: 'consent' },
    },
    {
      name: 'check',
      summary: 'A person checks the item.',
      ask: { checked: {} },
      who: 'staff',
      window: '1h',
      onTimeout: 'remind',
    },
    {
      name: 'consent',
      summary: 'The customer agrees to wait.',
      when: { 'input.isUrgent': false },
      ask: { agree: {}, decline: {} },
      who: 'customer',
      window: { at: 'input.neededBy', before: '1h' },
      onTimeout: { goTo: 'thanks' },
    },
    {
      name: 'thanks',
      summary: 'A person thanks the customer.',
      when: { 'consent.answer': 'agree' },
      ask: { done: {} },
      who: 'staff',
      window: '1h',
      onTimeout: 'remind',
    },
    { name: 'rest', summary: 'The flow waits for the morning.', sleep: { until: { at: 'input.wakeAt' } } },
    { name: 'pickUp', summary: 'The customer collects the item.', wait: { issue: 'Completed' }, ...lastWait },
  ],
} as const satisfies FlowDeclaration

/** Ends by a moment of an answer: a question that must be answered before it, and a sleep until after it. */
export const visits = {
  name: 'visits',
  summary: 'A visit is arranged, prepared, and waited for.',
  input: { pickUpPointUid: 'uid' },
  steps: [
    {
      name: 'visit',
      summary: 'The customer names a time.',
      ask: { named: { visitAt: 'instant' } },
      who: 'customer',
      window: '1h',
      onTimeout: 'remind',
    },
    {
      name: 'preparation',
      summary: 'A person prepares the visit.',
      ask: { done: {} },
      who: 'staff',
      window: { at: 'visit.visitAt', before: '1h' },
      onTimeout: { goTo: 'stay' },
    },
    {
      name: 'stay',
      summary: 'The visit takes place.',
      sleep: { until: { at: 'visit.visitAt', after: '2h' } },
    },
  ],
} as const satisfies FlowDeclaration

/** A flow that issues the item that it has stocked: two roles have one shipment. */
export const stockThenIssue = {
  name: 'stockThenIssue',
  summary: 'An item is stocked, and issued later.',
  input: { pickUpPointUid: 'uid', customerUid: 'uid' },
  steps: [
    { name: 'stocking', summary: 'A locker is booked.', book: 'CreateLocalShipmentAsStock', request },
    { name: 'dropOff', summary: 'The item arrives.', wait: { stock: 'WaitForReceiver' }, ...lastWait },
    {
      name: 'issuing',
      summary: 'The item gets its receiver.',
      book: 'CreateLocalShipmentAsIssueFromStock',
      request: { PriorShipmentUid: { from: 'stock.shipmentUid' }, ToUserUid: { from: 'input.customerUid' } },
    },
    { name: 'pickUp', summary: 'The customer collects the item.', wait: { issue: 'Completed' }, ...lastWait },
    { name: 'closing', summary: 'The stock is empty.', wait: { stock: 'Completed' }, ...lastWait },
  ],
} as const satisfies FlowDeclaration
