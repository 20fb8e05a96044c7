import { CancelledFailure, Context } from '@temporalio/activity'
import type { Json, RunCall, UndoRun } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { gate } from '../eventually.ts'
import { parcel } from '../world/apiWorld.ts'

const request = {
  ...parcel,
  PupUid: { from: 'input.pickUpPointUid' },
  ToUserUid: { from: 'input.customerUid' },
} as const

/** Every kind of step, and two bookings by one operation. */
export const workshop = {
  name: 'workshop',
  summary: 'A device is taken in, repaired if its owner agrees, and given back.',
  input: { pickUpPointUid: 'uid', customerUid: 'uid' },
  steps: [
    {
      name: 'label',
      summary: 'A label is printed.',
      run: 'printLabel',
      with: { customer: { from: 'input.customerUid' } },
      keep: { labelNo: 'text' },
      undo: 'voidLabel',
      timeout: '10s',
    },
    {
      name: 'intakeBooking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsIssue',
      request,
      as: { issue: 'device' },
    },
    {
      name: 'bringIn',
      summary: 'The customer brings the device.',
      wait: { device: 'ReadyForPickup' },
      window: '1h',
      onTimeout: 'cancel',
    },
    {
      name: 'offer',
      summary: 'The customer agrees or not.',
      ask: { agree: { cents: 'integer' }, decline: {} },
      who: 'customer',
      window: '1h',
      onTimeout: 'remind',
    },
    {
      name: 'repair',
      summary: 'The device is repaired.',
      when: { 'offer.answer': 'agree' },
      run: 'repair',
      with: { labelNo: { from: 'label.labelNo' } },
      keep: { report: 'text' },
      undo: { leaves: 'The device is repaired and not paid.' },
      timeout: '5d',
      heartbeat: '10s',
      onError: { CannotRepair: 'continue' },
    },
    {
      name: 'account',
      summary: 'The pick up point of the customer is set.',
      call: 'SetAccountPickUpPoint',
      request: { userUid: { from: 'input.customerUid' }, pickUpPointUid: { from: 'input.pickUpPointUid' } },
      keep: ['pupUid'],
    },
    { name: 'pause', summary: 'The device cools down.', sleep: '200ms' },
    {
      name: 'backBooking',
      summary: 'A locker is booked.',
      book: 'CreateLocalShipmentAsIssue',
      request,
      as: { issue: 'back' },
    },
    {
      name: 'putBack',
      summary: 'The shop places the device in the locker.',
      wait: { back: 'ReadyForPickup' },
      window: '1h',
      onTimeout: 'remind',
    },
  ],
  outputs: { report: 'repair.report', cents: 'offer.cents', pupUid: 'account.pupUid', backUid: 'back.shipmentUid' },
} as const satisfies FlowDeclaration

/** Its second step is on a task queue that no worker polls. */
export const assembly = {
  name: 'assembly',
  summary: 'A device gets a label, and is assembled.',
  input: {},
  steps: [
    {
      name: 'label',
      summary: 'A label is printed.',
      run: 'printLabel',
      with: {},
      keep: { labelNo: 'text' },
      undo: 'voidLabel',
      timeout: '10s',
    },
    {
      name: 'assemble',
      summary: 'The device is assembled.',
      run: 'assemble',
      taskQueue: 'no-worker-polls-it',
      with: { labelNo: { from: 'label.labelNo' } },
      keep: {},
      undo: { leaves: 'The parts are in the workshop.' },
      timeout: '1m',
    },
  ],
} as const satisfies FlowDeclaration

/** A flow of one label, whose step has other fields. */
export function labelWith(name: string, fields: object, then: FlowDeclaration['steps'] = []): FlowDeclaration {
  return { ...assembly, name, steps: [{ ...assembly.steps[0], ...fields }, ...then] }
}

/** A call that a person has to undo. */
export const relocation = {
  name: 'relocation',
  summary: 'The pick up point of a customer is set.',
  input: { customerUid: 'uid' },
  steps: [
    {
      name: 'account',
      summary: 'The pick up point of the customer is set.',
      call: 'SetAccountPickUpPoint',
      request: { userUid: { from: 'input.customerUid' }, pickUpPointUid: 'pup-1' },
      keep: ['pupUid'],
      leaves: 'The customer has another pick up point.',
    },
    { name: 'pause', summary: 'The customer can object.', sleep: '1h' },
  ],
} as const satisfies FlowDeclaration

export type Repair = (call: RunCall) => Promise<Json>

interface State {
  repair: Repair
  /** Failures of the undo of the label, before it succeeds. */
  failures: number
  label: (call: RunCall) => Json | Promise<Json>
  undoLabel: () => void | Promise<void>
}

/** The activities of the workshop, and what they were asked to do. */
export function workshopActivities() {
  const printed: string[] = []
  const voided: UndoRun[] = []
  const state: State = {
    repair: repairAtOnce,
    failures: 0,
    label: () => ({ labelNo: 'L-1', secret: 'not kept' }),
    undoLabel: () => undefined,
  }
  const activities = {
    printLabel: async (_input: Json, call: RunCall) => {
      printed.push(call.key)
      return state.label(call)
    },
    voidLabel: async (input: UndoRun) => {
      if (state.failures-- > 0) throw new Error('the printer is away')
      await state.undoLabel()
      voided.push(input)
    },
    repair: (_input: Json, call: RunCall) => state.repair(call),
  }
  return { activities, printed, voided, state }
}

async function repairAtOnce(): Promise<Json> {
  return { report: 'repaired' }
}

/** Days of work: it runs until it is cancelled, or its worker stops. */
export function repairForDays(): { readonly begun: Promise<void>; readonly repair: Repair } {
  const { opened, open } = gate()
  return {
    begun: opened,
    async repair() {
      open()
      const { cancelled, heartbeat } = Context.current()
      const timer = setInterval(() => heartbeat(), 100)
      await cancelled.finally(() => clearInterval(timer))
      throw new CancelledFailure('the repair was stopped')
    },
  }
}
