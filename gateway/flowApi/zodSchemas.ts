import type { FastifySchemaCompiler } from 'fastify'
import type { z } from 'zod'
import { isTooDeep, maxLevels, readRequest } from '#contract'
import { FlowApiError } from './problem.ts'

/**
 * Compiles the zod schemas of a route, for its query and its body. The handler gets what they parse. An invalid request is
 * refused with InvalidRequest, and the message names the part and the field.
 */
export const compileZodSchema: FastifySchemaCompiler<z.ZodObject> = ({ schema, httpPart }) => {
  const part = httpPart === 'body' ? 'The body' : 'The query'
  const refuse = (message: string) => ({ error: new FlowApiError('InvalidRequest', message) })
  return (given: unknown) => {
    // Fastify turns a missing body into null.
    if (given === null) return refuse(`${part} is missing.`)
    if (typeof given !== 'object' || Array.isArray(given)) return refuse(`${part} must be an object.`)
    if (isTooDeep(given)) return refuse(`${part} must have at most ${maxLevels} levels of lists and objects.`)
    const parsed = readRequest({ request: schema }, given)
    return parsed.ok ? { value: parsed.request } : refuse(parsed.message.replace(/^The body(?=:)/, part))
  }
}
