import type { UpdateDefinition } from '@temporalio/common'
import { CancellationScope, setHandler } from '@temporalio/workflow'
import type { ShipmentStatus, StatusOptions } from '#flows'
import {
  answer,
  assignReceiver,
  cancel,
  decide,
  moveClock,
  release,
  shipmentStatus,
  status,
  waitForBooking,
} from '#flows/messages'
import type { Handlers, UpdateHandler } from './runtime.ts'

type UpdateName = keyof Handlers<unknown>['updates']

interface Running {
  readonly flow: unknown
  readonly handlers: Handlers<unknown>
}

const running = Symbol('running')

/** The scope in which Temporal calls the handlers of a flow. It has the flow: closures would cost each flow a kilobyte. */
type FlowScope = CancellationScope & { [running]?: Running }

const statusDescription =
  'The current state of the flow; with { outputs: true }, also the outputs of its steps, with { picture: true } the picture of its run, and with { questions: true } who answers.'

const updates = [
  toUpdate(waitForBooking, 'Waits for the booking. Returns its shipments, or fails with the failure of the flow.'),
  toUpdate(cancel, 'Ends the flow and cleans up.'),
  toUpdate(decide, 'Decides about a window that has passed: extend, cancel or keepWaiting.'),
  toUpdate(answer, 'Answers an ask step. The same answer again returns the result of the first one.'),
  toUpdate(assignReceiver, 'Sets the user who collects the shipment.'),
  toUpdate(release, 'Ends a kept booking and frees its locker.'),
  toUpdate(moveClock, 'Moves the clock of a flow in staging.'),
]

/** Sets the handlers of all messages of a flow. @param scope the one of the whole run */
export function setMessageHandlers<Flow>(scope: CancellationScope, flow: Flow, handlers: Handlers<Flow>): void {
  Object.assign(scope, { [running]: { flow, handlers: handlers as Handlers<unknown> } satisfies Running })
  setHandler(status, showStatus, { description: statusDescription })
  setHandler(shipmentStatus, receiveStatus, { description: 'A verified callback of the service.' })
  for (const { definition, handle, options } of updates) setHandler(definition, handle, options)
}

function showStatus(options?: StatusOptions | null) {
  const { flow, handlers } = current()
  return handlers.status(flow, options)
}

function receiveStatus(received: ShipmentStatus | undefined): void {
  const { flow, handlers } = current()
  handlers.shipmentStatus(flow, received)
}

/** @param definition of an update, whose name is that of its handlers */
function toUpdate(definition: Pick<UpdateDefinition<unknown>, 'type' | 'name'>, description: string) {
  const find = (handlers: Handlers<unknown>) =>
    handlers.updates[definition.name as UpdateName] as UpdateHandler<unknown, unknown, unknown>
  return {
    definition: definition as UpdateDefinition<unknown, [unknown]>,
    handle(argument: unknown) {
      const { flow, handlers } = current()
      return find(handlers).handle(flow, argument)
    },
    options: {
      validator(argument: unknown) {
        const { flow, handlers } = current()
        find(handlers).validate(flow, argument)
      },
      description,
    },
  }
}

function current(): Running {
  const found = (CancellationScope.current() as FlowScope)[running]
  if (found === undefined) throw new Error('A handler must run in the scope of its flow.')
  return found
}
