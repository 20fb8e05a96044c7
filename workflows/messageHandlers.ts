import type { UpdateDefinition } from '@temporalio/common'
import { setHandler } from '@temporalio/workflow'
import { answer, cancel, decide, moveClock, shipmentStatus, status, waitForBooking } from '#flows/messages'
import type { Handlers, UpdateHandler } from './runtime.ts'

const descriptions = {
  status:
    'The current state of the flow; with { outputs: true }, also the outputs of its steps, with { picture: true } the picture of its run, and with { questions: true } who answers.',
  shipmentStatus: 'A verified callback of the service.',
}

type UpdateName = keyof Handlers<unknown>['updates']

const updates: readonly (readonly [Pick<UpdateDefinition<unknown>, 'type' | 'name'>, string])[] = [
  [waitForBooking, 'Waits for the booking. Returns its shipments, or fails with the failure of the flow.'],
  [cancel, 'Ends the flow and cleans up.'],
  [decide, 'Decides about a window that has passed: extend, cancel or keepWaiting.'],
  [answer, 'Answers an ask step. The same answer again returns the result of the first one.'],
  [moveClock, 'Moves the clock of a flow in staging.'],
]

/** Sets the handlers of all messages of a flow. */
export function setMessageHandlers<Flow>(flow: Flow, handlers: Handlers<Flow>): void {
  setHandler(status, options => handlers.status(flow, options), { description: descriptions.status })
  setHandler(shipmentStatus, received => handlers.shipmentStatus(flow, received), {
    description: descriptions.shipmentStatus,
  })
  for (const [definition, description] of updates) {
    // The name of an update is that of its handlers.
    const { validate, handle } = handlers.updates[definition.name as UpdateName] as UpdateHandler<
      Flow,
      unknown,
      unknown
    >
    setHandler(definition as UpdateDefinition<unknown, [unknown]>, argument => handle(flow, argument), {
      validator: argument => validate(flow, argument),
      description,
    })
  }
}
