import { z } from 'zod'
import { envelope, succeeded } from '../envelope.ts'
import { healthPaths } from '../paths.ts'
import { everywhere, failureAnswers } from './failures.ts'
import { answerHeaders } from './headers.ts'
import { type Json, json, schemaOf } from './json.ts'
import { healthTag } from './tags.ts'

const well = envelope.extend({ success: z.literal(true), error: z.null(), message: z.null() })

/** What a supervisor asks. */
export function healthItems(): Json {
  return {
    [healthPaths.live]: { get: probe('Live', 'Whether the process is alive.') },
    [healthPaths.ready]: { get: probe('Ready', 'Whether it can take requests: not while it stops or has no store.') },
  }
}

function probe(name: string, description: string): Json {
  return {
    operationId: name,
    tags: [healthTag],
    summary: name,
    description,
    security: [],
    responses: {
      200: {
        description: 'Yes.',
        headers: answerHeaders(),
        content: json(schemaOf(well, 'output'), { success: { value: succeeded } }),
      },
      ...failureAnswers(everywhere),
    },
  }
}
