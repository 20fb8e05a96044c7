import { Client } from '@temporalio/client'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createFlowClient, type FlowClientOptions } from '#client'
import { isCaseNo } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { Semaphore } from '#platform/limits'
import type { FlowApiCall, FlowApiOperation, Flows } from './operations.ts'
import { FlowApiError, sendResult, unknownCase } from './problem.ts'
import { type FlowApiContext, onRequestEnd } from './requestLog.ts'
import type { FlowApiLimits } from './settings.ts'
import type { Caller } from './tokens/caller.ts'

export interface RunParts {
  readonly flowsOf: FlowsOf
  /** Every flow that callers may start. */
  readonly declared: ReadonlyMap<string, FlowDeclaration>
  /** Of operations that make many calls, by the id of the caller. */
  readonly semaphore: Semaphore
  /** Shares its connection with the flow clients of the callers. */
  readonly client: Pick<Client, 'withAbortSignal'>
  /** Milliseconds. */
  readonly lingering: FlowApiLimits['lingering']
}

/** A request whose query and body have been parsed. The body of an operation without one means nothing. */
interface Parsed {
  readonly query: FlowApiCall['query']
  readonly body: FlowApiCall['body']
  readonly params: { readonly key?: string }
}

/** The flow client of a caller. */
type FlowsOf = (caller: Caller) => Flows

/** Runs the operation of a request that fits its schemas, and sends the result. @throws FlowApiError UnknownFlow, Unauthorized */
export async function runOperation(
  { flowsOf, declared, semaphore, client, lingering }: RunParts,
  operation: FlowApiOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller } = request.flowApi
  if (caller === undefined) throw new FlowApiError('Unauthorized', 'An access token is required.')
  const { query, body, params } = request as Parsed
  const { key = '' } = params
  if (operation.key === 'flow' && !declared.has(key)) throw unknownFlow(declared)
  if (operation.key === 'caseNo' && !isCaseNo(key)) return sendResult(reply, unknownCase(key))
  const release = operation.makesManyCalls && (await semaphore(caller.id, untilGone(request.flowApi)))
  const run = async () =>
    operation.run({ flows: flowsOf(caller), key, query, body, caller }).finally(release || undefined)
  const { signal, gone, end } = watchCaller(request.flowApi, lingering)
  try {
    return sendResult(reply, await Promise.race([client.withAbortSignal(signal, run), gone]))
  } finally {
    end()
  }
}

/** Aborts when the caller goes. */
function untilGone(context: FlowApiContext): AbortSignal {
  const controller = new AbortController()
  onRequestEnd(context, () => controller.abort(callerGone()))
  return controller.signal
}

function callerGone(): FlowApiError {
  return new FlowApiError('CallAborted', 'The caller has gone.')
}

/**
 * Watches for the end of a request whose work goes on. Some time later the signal aborts the call of Temporal that is open, and
 * `gone` rejects: the flow client takes an aborted call for a timeout, and may make further ones.
 */
function watchCaller(context: FlowApiContext, lingering: number) {
  const controller = new AbortController()
  const { promise: gone, reject } = Promise.withResolvers<never>()
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  const leave = () => {
    controller.abort()
    reject(callerGone())
  }
  onRequestEnd(context, () => {
    if (!isOver) timer = setTimeout(leave, lingering)
  })
  const end = () => {
    isOver = true
    clearTimeout(timer)
  }
  return { signal: controller.signal, gone, end }
}

function unknownFlow(declared: RunParts['declared']): FlowApiError {
  return new FlowApiError('UnknownFlow', `The flow must be one of ${[...declared.keys()].join(', ')}.`)
}

/**
 * Creates flow clients whose identity is that of the caller. Histories then name who started and decided a flow, and an audit
 * copies it from there. They share one connection, and live as long as the token in memory.
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
