import type { z } from 'zod'
import { healthPaths } from '../endpoints.ts'
import { envelope, succeeded } from '../envelope.ts'
import { readiness } from '../readiness.ts'
import { alwaysPossible, failureResponses, successEnvelope } from './failures.ts'
import { responseHeaders } from './headers.ts'
import { healthTag } from './operationItem.ts'
import { type Json, jsonContent, namedSchema, toJsonSchema } from './schemas.ts'

const healthy: z.ZodObject = envelope.extend(successEnvelope)

/** Probes for a supervisor. */
export function healthPathItems(): Json {
  return {
    [healthPaths.live]: {
      get: probe(
        'Live',
        'Succeeds while the process is alive.',
        namedSchema('Liveness', toJsonSchema(healthy, 'output')),
        succeeded,
      ),
    },
    [healthPaths.ready]: {
      get: probe(
        'Ready',
        'Succeeds while the service can handle requests. `missing` names what it lacks; if `ready` is true, only locker doors need it.',
        namedSchema('Readiness', toJsonSchema(healthy.extend(readiness.shape), 'output')),
        { ...succeeded, ready: true, missing: [] },
      ),
    },
  }
}

function probe(name: string, description: string, schema: Json, example: object): Json {
  return {
    operationId: name,
    tags: [healthTag],
    summary: name,
    description,
    security: [],
    responses: {
      200: {
        description: 'The probe succeeded.',
        headers: responseHeaders(),
        content: jsonContent(schema, { success: { value: example } }),
      },
      ...failureResponses(alwaysPossible),
    },
  }
}
