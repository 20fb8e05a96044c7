import { z } from 'zod'
import { discoveryPath, keySetPath } from '../paths.ts'
import { accessScope, tokenErrors, tokenPath, tokenResponse } from '../token.ts'
import { everywhere, failureAnswers, refusalSchema } from './failures.ts'
import { answerHeaders } from './headers.ts'
import { type Json, json, schemaOf } from './json.ts'
import { signInTag } from './tags.ts'

const form = {
  type: 'object',
  properties: {
    grant_type: { const: 'client_credentials' },
    client_id: { type: 'string', description: 'Left out with HTTP Basic.' },
    client_secret: { type: 'string', description: 'Left out with HTTP Basic.' },
    scope: { const: accessScope },
  },
  required: ['grant_type'],
}

const credentials = {
  grant_type: 'client_credentials',
  client_id: 'acme',
  client_secret: 'acme-secret',
  scope: accessScope,
}

const token = {
  access_token: 'eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhY21lIn0.c2lnbmF0dXJl',
  token_type: 'bearer',
  expires_in: 10_799,
}

/** How a caller gets its token, and where libraries find what they need for that. */
export function signInItems(address: string): Json {
  return {
    [tokenPath]: {
      post: {
        operationId: 'Token',
        tags: [signInTag],
        summary: 'Token',
        description:
          'Gives an access token for client credentials (RFC 6749 section 4.4), in the form or by HTTP Basic.',
        security: [],
        requestBody: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': { schema: form, examples: { request: { value: credentials } } },
          },
        },
        responses: {
          200: {
            description: 'A token, and the seconds that it lives.',
            headers: answerHeaders(),
            content: json(schemaOf(tokenResponse, 'output'), { success: { value: token } }),
          },
          ...tokenFailures(),
          ...failureAnswers(['RequestTooLarge', ...everywhere]),
        },
      },
    },
    [discoveryPath]: {
      get: {
        ...opened('Discovery', 'Says where to find what (OpenID Connect Discovery 1.0, RFC 8414).'),
        responses: {
          200: {
            description: 'The addresses of the token endpoint and of the keys.',
            headers: answerHeaders(),
            content: json(
              {
                type: 'object',
                properties: {
                  issuer: { type: 'string' },
                  token_endpoint: { type: 'string' },
                  jwks_uri: { type: 'string' },
                },
                required: ['issuer', 'token_endpoint', 'jwks_uri'],
              },
              {
                success: {
                  value: { issuer: address, token_endpoint: address + tokenPath, jwks_uri: address + keySetPath },
                },
              },
            ),
          },
          ...failureAnswers(everywhere),
        },
      },
    },
    [keySetPath]: {
      get: {
        ...opened('Keys', 'The public keys of the tokens, as a JWK set (RFC 7517).'),
        responses: {
          200: {
            description: 'The newest key first.',
            headers: answerHeaders(),
            content: json({
              type: 'object',
              properties: {
                keys: {
                  type: 'array',
                  minItems: 1,
                  items: {
                    type: 'object',
                    properties: {
                      kty: { type: 'string' },
                      kid: { type: 'string' },
                      use: { const: 'sig' },
                      alg: { type: 'string' },
                    },
                    required: ['kty', 'kid', 'use'],
                    // The private part of a key.
                    not: { required: ['d'] },
                  },
                },
              },
              required: ['keys'],
            }),
          },
          ...failureAnswers(everywhere),
        },
      },
    },
  }
}

/** The failures of a token request by HTTP status: the body of RFC 6749, which is an envelope too. */
function tokenFailures(): Json {
  const byStatus = Map.groupBy(Object.entries(tokenErrors), ([, status]) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, entries]) => {
      const codes = entries.map(([code]) => code)
      const headers = answerHeaders(
        ...(status === 401 ? (['Challenge'] as const) : []),
        ...(status === 429 ? (['RetryAfter'] as const) : []),
      )
      const body = refusalSchema(codes, { error_description: z.string() })
      return [status, { description: codes.join(', '), headers, content: json(schemaOf(body, 'output')) }]
    }),
  )
}

function opened(name: string, description: string): Json {
  return { operationId: name, tags: [signInTag], summary: name, description, security: [] }
}
