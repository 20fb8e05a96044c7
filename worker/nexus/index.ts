// The handlers of the Nexus service, for workers. They use the connection of the worker.

import * as nexus from 'nexus-rpc'
import { type FlowOperations, flowService } from '#client/nexus'
import type { FlowDeclaration } from '#flows/declaration'
import { bookHandler } from './book.ts'
import { cancelHandler, decideHandler, statusHandler } from './messages.ts'
import { startHandler } from './start.ts'

/**
 * Creates the handlers of all operations.
 * @param declared the flows of the worker, by name
 */
export function createFlowService(
  declared: Readonly<Record<string, FlowDeclaration>>,
): nexus.ServiceHandler<FlowOperations> {
  return nexus.serviceHandler(flowService(), {
    start: startHandler(declared),
    book: bookHandler(declared),
    status: statusHandler,
    cancel: cancelHandler,
    decide: decideHandler,
  })
}
