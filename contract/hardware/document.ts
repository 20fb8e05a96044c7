import type { z } from 'zod'
import { envelope, failed, succeeded } from '../envelope.ts'
import { hoistSchemas, type Json, jsonContent, namedSchema, toJsonSchema } from '../openapi/schemas.ts'
import { timestampTolerance, webhookHeaders } from '../signature.ts'
import { hardwareExamples as examples } from './examples.ts'
import {
  adapterPaths,
  doorEvent,
  eventPath,
  maxMessageBytes,
  openRequest,
  openResponse,
  stateRequest,
  stateResponse,
} from './messages.ts'

/** The statuses with which both sides refuse a message. `again`: the sender retries it. */
export const refusals = {
  400: { again: false, meaning: 'The body is not JSON or lacks a field, although its signature is valid.' },
  401: {
    again: true,
    meaning: 'A signature header is missing, no signature matches, or the timestamp is too far off.',
  },
  404: { again: false, meaning: 'The adapter has no such door.' },
  409: { again: false, meaning: 'This openId belongs to another door.' },
  413: { again: false, meaning: `The body is longer than ${maxMessageBytes / 1_024} KiB.` },
  429: { again: true, meaning: 'Too many messages; Retry-After contains the seconds to wait.' },
  503: { again: true, meaning: 'The receiver is temporarily unavailable.' },
} as const

/** The statuses with which the service refuses an event. A service without an adapter has no path for events. */
export const eventRefusals = {
  ...refusals,
  404: { again: true, meaning: 'The service has no adapter.' },
} as const

type Status = keyof typeof refusals

const doorsTag = 'Doors'
const eventsTag = 'Events'

/** The OpenAPI 3.1 document of an adapter: its two operations, and the events that it sends. */
export function hardwareDocument(version: string): Json {
  return hoistSchemas({
    openapi: '3.1.0',
    info: {
      title: 'lockerflow hardware adapter',
      version,
      description: 'The service calls the paths of an adapter. The adapter sends the webhook to the service.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: 'https://adapter.example', description: 'LOCKERFLOW_HARDWARE_URL' }],
    security: [{ signature: [] }],
    // A generator writes a file for each tag, and webhooks without one over the paths without one.
    tags: [
      { name: doorsTag, description: 'Called by the service.' },
      { name: eventsTag, description: 'Sent to the service.' },
    ],
    paths: { [adapterPaths.open]: openItem(), [adapterPaths.state]: stateItem() },
    webhooks: { DoorEvent: eventItem() },
    components: {
      securitySchemes: {
        signature: {
          type: 'apiKey',
          in: 'header',
          name: webhookHeaders.signature,
          description:
            'Standard Webhooks: `v1,` and base64 of HMAC-SHA256 over webhook-id, webhook-timestamp and the raw body, joined by dots. During a key rotation two signatures, separated by a space.',
        },
      },
    },
  })
}

function openItem(): Json {
  return {
    post: {
      operationId: 'Open',
      tags: [doorsTag],
      summary: 'Open',
      description: 'Opens a door once for each `openId`. A repeated request gets the first response again.',
      parameters: signatureHeaders('Equal to openId.'),
      requestBody: {
        required: true,
        content: content('OpenRequest', openRequest, 'input', { open: { value: examples.openRequest } }),
      },
      responses: {
        200: {
          description: 'The door opened, or it did not.',
          headers: responseHeaders(),
          content: content('OpenResponse', openResponse, 'output', {
            opened: { value: examples.openResponse },
            failed: { value: examples.openFailure },
          }),
        },
        ...toResponses(refusals, 400, 401, 404, 409, 413, 429, 503),
      },
    },
  }
}

function stateItem(): Json {
  return {
    post: {
      operationId: 'State',
      tags: [doorsTag],
      summary: 'State',
      description: 'Returns the current state of a door.',
      parameters: signatureHeaders('Unique for each request.'),
      requestBody: {
        required: true,
        content: content('StateRequest', stateRequest, 'input', { state: { value: examples.stateRequest } }),
      },
      responses: {
        200: {
          description: 'The state, and the sequence of the last event.',
          headers: responseHeaders(),
          content: content('StateResponse', stateResponse, 'output', { state: { value: examples.stateResponse } }),
        },
        ...toResponses(refusals, 400, 401, 404, 413, 429, 503),
      },
    },
  }
}

function eventItem(): Json {
  return {
    post: {
      operationId: 'DoorEvent',
      tags: [eventsTag],
      summary: 'DoorEvent',
      description: `Sent to \`${eventPath}\` of the service, or \`${eventPath}/<name>\` for an adapter with a name. Retried with the same \`webhook-id\` and body until the response has a final status.`,
      parameters: signatureHeaders('Unique for each event.'),
      requestBody: {
        required: true,
        content: content('DoorEvent', doorEvent, 'input', { opened: { value: examples.doorEvent } }),
      },
      responses: {
        200: {
          description:
            'Recorded, or refused permanently (`success` is false): the locker does not belong to this adapter.',
          content: content('EventResponse', envelope, 'output', {
            recorded: { value: succeeded },
            refused: { value: failed('InvalidLocker', 'This adapter has no such locker.') },
          }),
        },
        ...toResponses(eventRefusals, 400, 401, 404, 413, 429, 503),
      },
    },
  }
}

function content(name: string, schema: z.ZodType, io: 'input' | 'output', given: Json): Json {
  return jsonContent(namedSchema(name, toJsonSchema(schema, io)), given)
}

function signatureHeaders(id: string): Json[] {
  const headers = [
    [webhookHeaders.id, `Standard Webhooks: id of the message. ${id}`],
    [
      webhookHeaders.timestamp,
      `Standard Webhooks: time of sending in seconds since 1970, at most ${timestampTolerance / 60} minutes off.`,
    ],
  ]
  return headers.map(([name, description]) => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string' },
  }))
}

/** The signature of a response, which has the id of its request. */
function responseHeaders(): Json {
  return Object.fromEntries(
    signatureHeaders('Equal to that of the request.').map(({ name, required, description, schema }) => [
      name,
      { required, description, schema },
    ]),
  )
}

function toResponses(from: typeof refusals | typeof eventRefusals, ...statuses: readonly Status[]): Json {
  return Object.fromEntries(
    statuses.map(status => {
      const { meaning, again } = from[status]
      return [
        status,
        { description: `${meaning} ${again ? 'The sender retries it.' : 'The sender does not retry it.'}` },
      ]
    }),
  )
}
