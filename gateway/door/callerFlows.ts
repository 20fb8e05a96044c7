import { Client } from '@temporalio/client'
import { createFlowClient, type FlowClientOptions } from '#client'
import type { FlowDeclaration } from '#flows/declaration'
import type { Flows } from './operations.ts'
import type { Caller } from './tokens/caller.ts'

/** The flow client of a caller. */
export type FlowsOf = (caller: Caller) => Flows

/**
 * Creates flow clients whose identity is that of the caller. Histories then name who started and decided a flow, and an audit
 * copies it from there (D-368). They share one connection, and live as long as the token in memory.
 */
export function createCallerFlows(client: Client, options: FlowClientOptions<FlowDeclaration>): FlowsOf {
  const known = new WeakMap<Caller, Flows>()
  return caller => {
    const found = known.get(caller)
    if (found !== undefined) return found
    const identity = `client:${caller.clientId}`
    const named = new Client({ ...client.options, connection: client.connection, identity })
    const flows: Flows = createFlowClient(named, options)
    known.set(caller, flows)
    return flows
  }
}
