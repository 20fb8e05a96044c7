import { allHandlersFinished, condition, setHandler, workflowInfo } from '@temporalio/workflow'
import { flowFailure } from './failures.ts'
import * as messages from './messages.ts'

/**
 * Answers for every workflow type that is no flow. Without it the starter of a misspelled flow, and whoever waits
 * for its booking, would wait without end.
 */
export async function unknownFlow(): Promise<never> {
  const failure = flowFailure('UnknownFlow', `There is no flow ${workflowInfo().workflowType}.`)
  const fail = () => {
    throw failure
  }
  setHandler(messages.booked, fail)
  setHandler(messages.cancel, fail)
  setHandler(messages.decide, fail)
  setHandler(messages.shipmentStatus, () => undefined)
  await condition(allHandlersFinished)
  throw failure
}
