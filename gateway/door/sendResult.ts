import type { FastifyReply } from 'fastify'
import { withReference } from '#contract/terms'
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
