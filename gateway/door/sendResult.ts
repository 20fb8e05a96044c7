import type { FastifyReply } from 'fastify'
import type { Refused } from '#client'
import { type ErrorCode, withReference } from '#contract/terms'
import { problemType, toProblem } from './problem.ts'
import { type ResultKind, statusByKind } from './results.ts'

/** Sends a result, as a problem with the fields of the result if its status says so. */
export function sendResult(reply: FastifyReply, result: { readonly kind: ResultKind }): FastifyReply {
  const status = statusByKind[result.kind]
  reply.code(status)
  if (status < 400) return reply.send(result)
  const { code, message } = result as unknown as { code: string; message: string }
  const { door, id } = reply.request
  door.errorCode = code
  return reply.type(problemType).send({ ...toProblem(code, message, status, id), ...result })
}

/** The result for a path that is no case number. */
export function unknownCase(caseNo: string) {
  const message = withReference('UnknownCase', 'No flow has this case number.')
  return { kind: 'UnknownCase', caseNo, code: 'UnknownCase', message } as const
}

/** The result of a call that the door refuses before it asks the flow. */
export function refused(code: ErrorCode, message: string): Refused {
  return { kind: 'Refused', code, message: withReference(code, message) }
}
