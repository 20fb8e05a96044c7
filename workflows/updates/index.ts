// The messages of a flow: one file per update, each with `validate` and `handle`.

import { type FlowContext, recordRejection } from '../context.ts'
import { noteRecordedEvent } from '../continueAsNew.ts'
import { receiveCallback } from '../lockers/index.ts'
import type { Handlers } from '../runtime.ts'
import { toStatus } from '../status.ts'
import * as answer from './answer.ts'
import * as cancel from './cancel.ts'
import * as decide from './decide.ts'
import * as moveClock from './moveClock.ts'
import * as waitForBooking from './waitForBooking.ts'

const handlers: Handlers<FlowContext> = {
  status: toStatus,
  shipmentStatus(flow, status) {
    noteRecordedEvent(flow)
    if (status !== undefined) receiveCallback(flow, status)
    else recordRejection(flow, 'a signal shipmentStatus could not be decoded')
  },
  updates: { waitForBooking, cancel, decide, answer, moveClock },
}

/** Sets every handler. Call it before the first await: messages can arrive with the start. */
export function setHandlers(flow: FlowContext): void {
  flow.runtime.setHandlers(flow, handlers)
}
