import type { WorkflowHandle } from '@temporalio/client'

/** The namespaces and workflows that the links of a history lead to, in the order of its events. */
export async function linkedFrom(handle: WorkflowHandle): Promise<string[]> {
  const { events } = await handle.fetchHistory()
  const links = (events ?? []).flatMap(({ links, workflowExecutionStartedEventAttributes: started }) => [
    ...(links ?? []),
    // The links of a callback are not repeated as those of the event.
    ...(started?.completionCallbacks ?? []).flatMap(callback => callback.links ?? []),
  ])
  return links.map(({ workflowEvent: to }) => `${to?.namespace} ${to?.workflowId}`)
}
