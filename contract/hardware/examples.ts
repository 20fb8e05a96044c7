import { lockerName, pickUpPoints, uids } from '../examples/example.ts'
import type { DoorEvent, OpenRequest, OpenResponse, StateRequest, StateResponse } from './messages.ts'

const openId = '6d1f0a9e-52c7-4f38-b1de-90c4a7e35b12'
const door = { pupUid: pickUpPoints.square, lockerUid: uids.locker, lockerName }

const openRequest: OpenRequest = { type: 'open', openId, ...door, validForMs: 3_000 }
const openResponse: OpenResponse = { openId, opened: true, state: 'open' }
const openFailure: OpenResponse = { openId, opened: false, state: 'broken', reason: 'The bolt did not move.' }
const stateRequest: StateRequest = { type: 'state', ...door }
const stateResponse: StateResponse = { lockerUid: uids.locker, state: 'closed', sequence: 1_772_444_537_630 }
const doorEvent: DoorEvent = {
  type: 'event',
  event: 'opened',
  pupUid: pickUpPoints.square,
  lockerUid: uids.locker,
  sequence: 1_772_444_537_631,
  occurredAt: '2026-03-02T09:42:17.631Z',
  openId,
}

/** A message of each kind of the hardware protocol. */
export const hardwareExamples = {
  openRequest,
  openResponse,
  openFailure,
  stateRequest,
  stateResponse,
  doorEvent,
} as const
