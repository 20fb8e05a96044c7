import { discoveryPath, introspectionPath, keySetPath, tokenPath } from '../endpoints.ts'
import { alwaysPossible, failureResponses } from './failures.ts'
import { responseHeaders } from './headers.ts'
import { signInTag } from './operationItem.ts'
import { type Json, jsonContent, namedSchema } from './schemas.ts'

const metadata = {
  type: 'object',
  properties: {
    issuer: { type: 'string' },
    token_endpoint: { type: 'string' },
    jwks_uri: { type: 'string' },
    introspection_endpoint: { type: 'string' },
  },
  required: ['issuer', 'token_endpoint', 'jwks_uri', 'introspection_endpoint'],
}

const key = {
  type: 'object',
  properties: {
    kty: { type: 'string' },
    kid: { type: 'string' },
    use: { type: 'string', const: 'sig' },
    alg: { type: 'string' },
  },
  required: ['kty', 'kid', 'use'],
  // The private part must never be published.
  not: { required: ['d'] },
}

const keySet = {
  type: 'object',
  properties: { keys: { type: 'array', minItems: 1, items: namedSchema('JsonWebKey', key) } },
  required: ['keys'],
}

/** The metadata of the authorization server, and its keys. */
export function discoveryPathItems(address: string): Json {
  return { [discoveryPath]: discoveryItem(address), [keySetPath]: keySetItem() }
}

function discoveryItem(address: string): Json {
  return {
    get: {
      ...publicGet('Discovery', 'Metadata of the authorization server (OpenID Connect Discovery 1.0, RFC 8414).'),
      responses: {
        200: {
          description: 'Addresses of the token endpoint, the introspection and the keys.',
          headers: responseHeaders(),
          content: jsonContent(namedSchema('AuthorizationServerMetadata', metadata), {
            success: {
              value: {
                issuer: address,
                token_endpoint: address + tokenPath,
                jwks_uri: address + keySetPath,
                introspection_endpoint: address + introspectionPath,
              },
            },
          }),
        },
        ...failureResponses(alwaysPossible),
      },
    },
  }
}

function keySetItem(): Json {
  return {
    get: {
      ...publicGet('Keys', 'Public keys of the tokens as a JWK set (RFC 7517).'),
      responses: {
        200: {
          description: 'Keys, newest first.',
          headers: responseHeaders(),
          content: jsonContent(namedSchema('JsonWebKeySet', keySet)),
        },
        ...failureResponses(alwaysPossible),
      },
    },
  }
}

function publicGet(name: string, description: string): Json {
  return { operationId: name, tags: [signInTag], summary: name, description, security: [] }
}
