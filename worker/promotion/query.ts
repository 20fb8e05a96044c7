import type { ConnectedTarget, OpenFlow } from './openFlows.ts'

/** gRPC codes of a query: no handler or a failed replay, a closed workflow, a workflow whose task fails. */
export const codes = { invalidArgument: 3, notFound: 5, failedPrecondition: 9 } as const

/**
 * Queries the status of a flow, for which a worker replays the flow unless its cache has it.
 * @param timeout milliseconds
 * @throws the error of gRPC
 */
export async function queryStatus(
  { connection, namespace }: ConnectedTarget,
  { workflowId, runId }: OpenFlow,
  timeout: number,
): Promise<void> {
  await connection.withDeadline(Date.now() + timeout, () =>
    connection.workflowService.queryWorkflow({
      namespace,
      execution: { workflowId, runId },
      query: { queryType: 'status', queryArgs: { payloads: [] } },
    }),
  )
}

export function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
