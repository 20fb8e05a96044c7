// The messages of a flow: one file per update, each with `validate` and `handle`.
import { receiveCallback } from '../callbacks.ts'
import type { FlowContext } from '../context.ts'
import { noteRecordedEvent } from '../continueAsNew.ts'
import type { UpdateHandler } from '../runtime.ts'
import { toStatus } from '../status.ts'
import * as answer from './answer.ts'
import * as assignReceiver from './assignReceiver.ts'
import * as cancel from './cancel.ts'
import * as decide from './decide.ts'
import * as moveClock from './moveClock.ts'
import * as release from './release.ts'
import * as waitForBooking from './waitForBooking.ts'

/** Sets every handler. Call it before the first await: messages can arrive with the start. */
export function setHandlers(flow: FlowContext): void {
  flow.runtime.setHandlers({
    status: options => toStatus(flow, options),
    shipmentStatus(status) {
      noteRecordedEvent(flow)
      receiveCallback(flow, status)
    },
    updates: {
      waitForBooking: bind(flow, waitForBooking),
      cancel: bind(flow, cancel),
      decide: bind(flow, decide),
      answer: bind(flow, answer),
      assignReceiver: bind(flow, assignReceiver),
      release: bind(flow, release),
      moveClock: bind(flow, moveClock),
    },
  })
}

function bind<Argument, Result>(
  flow: FlowContext,
  update: {
    validate(flow: FlowContext, argument: Argument): void
    handle(flow: FlowContext, argument: Argument): Result | Promise<Result>
  },
): UpdateHandler<Argument, Result> {
  return {
    validate: argument => update.validate(flow, argument),
    handle: argument => update.handle(flow, argument),
  }
}
