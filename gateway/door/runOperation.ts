import type { FastifyReply, FastifyRequest } from 'fastify'
import { readRequest } from '#contract'
import { isCaseNo } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { FlowsOf } from './callerFlows.ts'
import type { DoorOperation } from './operations.ts'
import { DoorError } from './problem.ts'
import { sendResult, unknownCase } from './sendResult.ts'

export interface RunParts {
  readonly flowsOf: FlowsOf
  /** Every flow that callers may start. */
  readonly declared: ReadonlyMap<string, FlowDeclaration>
}

/** Checks a request, runs its operation, and sends the result. @throws DoorError InvalidRequest, UnknownFlow, Unauthorized */
export async function runOperation(
  { flowsOf, declared }: RunParts,
  operation: DoorOperation,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { caller } = request.door
  if (caller === undefined) throw new DoorError('Unauthorized', 'An access token is required.')
  const query = read(operation.query, request.query)
  const body = operation.body === undefined ? {} : read(operation.body, request.body)
  const { key = '' } = request.params as { readonly key?: string }
  if (operation.key === 'flow' && !declared.has(key)) throw unknownFlow(declared)
  if (operation.key === 'caseNo' && !isCaseNo(key)) return sendResult(reply, unknownCase(key))
  return sendResult(reply, await operation.run({ flows: flowsOf(caller), key, query, body, caller }))
}

function read(schema: DoorOperation['query'], given: unknown): Record<string, unknown> {
  const parsed = readRequest({ request: schema }, given)
  if (!parsed.ok) throw new DoorError('InvalidRequest', parsed.message)
  return parsed.request
}

function unknownFlow(declared: RunParts['declared']): DoorError {
  return new DoorError('UnknownFlow', `The flow must be one of ${[...declared.keys()].join(', ')}.`)
}
