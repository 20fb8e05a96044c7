import { z } from 'zod'
import { healthPaths, readiness } from '#contract'
import { type Json, namedSchema, toJsonSchema } from '#contract/openapi'
import { anyRequestProblems, sharedResponses } from './documentResponses.ts'

export const healthTag = 'Health'

const liveness = z.object({ live: z.boolean() })

/** The probes in the document. */
export function healthItems(): Json {
  const ready = namedSchema('Readiness', toJsonSchema(readiness, 'output'))
  const live = namedSchema('Liveness', toJsonSchema(liveness, 'output'))
  return {
    [healthPaths.live]: probe('live', 'Succeeds while the process is alive.', { 200: live }),
    [healthPaths.ready]: probe('ready', 'Succeeds while flows can be started.', { 200: ready, 503: ready }),
  }
}

function probe(operationId: string, description: string, schemas: Readonly<Record<number, Json>>): Json {
  const responses = Object.entries(schemas).map(([status, schema]) => [
    status,
    { description, content: { 'application/json': { schema } } },
  ])
  return {
    get: {
      ...{ operationId, tags: [healthTag], summary: operationId, description, security: [] },
      responses: { ...Object.fromEntries(responses), ...sharedResponses(anyRequestProblems) },
    },
  }
}
