import { z } from 'zod'
import {
  accessScope,
  introspectionPath,
  introspectionResponse,
  tokenErrors,
  tokenPath,
  tokenResponse,
} from '../endpoints.ts'
import { alwaysPossible, failureResponses, refusalSchema } from './failures.ts'
import { responseHeaders } from './headers.ts'
import { signInTag } from './operationItem.ts'
import { type Json, jsonContent, namedSchema, toJsonSchema } from './schemas.ts'

const absentWithBasic = 'Absent with HTTP Basic.'

/** Other fields have no effect. A field that is given twice, as a list is in a form, is refused (RFC 6749 section 3.2). */
const otherFields = { additionalProperties: { type: 'string' } }

const tokenRequest = {
  type: 'object',
  properties: {
    grant_type: { type: 'string', const: 'client_credentials' },
    client_id: { type: 'string', description: absentWithBasic },
    client_secret: { type: 'string', description: absentWithBasic },
    scope: { type: 'string', const: accessScope },
  },
  required: ['grant_type'],
  ...otherFields,
}

const introspectionRequest = {
  type: 'object',
  properties: { token: { type: 'string', minLength: 1 } },
  required: ['token'],
  ...otherFields,
}

const tokenRequestExample = {
  grant_type: 'client_credentials',
  client_id: 'acme',
  client_secret: 'acme-secret',
  scope: accessScope,
}

const tokenExample = {
  access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhY21lIn0.c2lnbmF0dXJl',
  token_type: 'bearer',
  expires_in: 10_799,
}

/** The token endpoint and the introspection of tokens. */
export function authPathItems(): Json {
  return { [tokenPath]: tokenItem(), [introspectionPath]: introspectionItem() }
}

function tokenItem(): Json {
  return {
    post: {
      // Not Token: a generator in Go adds Response to it, which is the name of the schema.
      operationId: 'GetToken',
      tags: [signInTag],
      summary: 'Token',
      description:
        'Returns an access token for client credentials (RFC 6749 section 4.4), in the form or by HTTP Basic.',
      security: [],
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: namedSchema('TokenRequest', tokenRequest),
            examples: { request: { value: tokenRequestExample } },
          },
        },
      },
      responses: {
        200: {
          description: 'A token and its lifetime in seconds.',
          headers: responseHeaders(),
          content: jsonContent(namedSchema('TokenResponse', toJsonSchema(tokenResponse, 'output')), {
            success: { value: tokenExample },
          }),
        },
        ...tokenFailureResponses(),
        ...failureResponses(['RequestTooLarge', 'UnsupportedMediaType', ...alwaysPossible]),
      },
    },
  }
}

function introspectionItem(): Json {
  return {
    post: {
      operationId: 'Introspect',
      tags: [signInTag],
      summary: 'Introspect',
      description:
        'Returns whether a token of a client of the caller is accepted (RFC 7662): false once it has expired or was revoked.',
      requestBody: {
        required: true,
        content: {
          'application/x-www-form-urlencoded': {
            schema: namedSchema('IntrospectionRequest', introspectionRequest),
            examples: { request: { value: { token: tokenExample.access_token } } },
          },
        },
      },
      responses: {
        200: {
          description: 'True for a token that is accepted, with the client that has it.',
          headers: responseHeaders(),
          content: jsonContent(namedSchema('IntrospectionResponse', toJsonSchema(introspectionResponse, 'output')), {
            active: { value: { active: true, client_id: 'acme' } },
            inactive: { value: { active: false } },
          }),
        },
        400: tokenFailureResponses()[400],
        ...failureResponses([
          'Unauthorized',
          'Forbidden',
          'RequestTooLarge',
          'UnsupportedMediaType',
          ...alwaysPossible,
        ]),
      },
    },
  }
}

/** Failures of a token request by HTTP status. The body combines RFC 6749 with the envelope. */
function tokenFailureResponses(): Json {
  const statuses = [...new Set(Object.values(tokenErrors))]
  return Object.fromEntries(
    statuses.map(status => {
      const codes = Object.entries(tokenErrors).flatMap(([code, each]) => (each === status ? [code] : []))
      const headers = responseHeaders(
        ...(status === 401 ? (['Challenge'] as const) : []),
        ...(status === 429 ? (['RetryAfter'] as const) : []),
      )
      const body = refusalSchema(codes, { error_description: z.string() })
      return [status, { description: codes.join(', '), headers, content: jsonContent(toJsonSchema(body, 'output')) }]
    }),
  )
}
