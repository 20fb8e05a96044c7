import type { Rule } from '../rule.ts'

const section = 'Authentication'

export const signIn: readonly Rule[] = [
  {
    section,
    rule: 'Every request needs the access token as a bearer token.',
    heldBy: [
      'test/api/signIn.test.ts > signing in > sends the form of the specification, and the token with each request',
      'test/service/http/parseRequest.test.ts > a missing token and an invalid token have different errors',
      'test/service/http/protocol.test.ts > the OpenAPI document > lists every operation, and every listed operation exists',
    ],
  },
  {
    section,
    rule: 'A token request is a form to /connect/token: client_id, client_secret, grant_type client_credentials, scope integration_api.',
    heldBy: [
      'test/service/auth/tokenEndpoint.test.ts > a token is issued > %s',
      'test/service/auth/tokenEndpoint.test.ts > no token is issued (RFC 6749 section 5.2) > %s',
      'test/api/signIn.test.ts > signing in > sends the form of the specification, and the token with each request',
    ],
  },
  {
    section,
    rule: 'The response has access_token, token_type bearer, and expires_in in whole seconds.',
    heldBy: ['test/service/auth/tokenEndpoint.test.ts > a token is issued > %s'],
  },
  {
    section,
    rule: 'A token expires after the seconds of expires_in.',
    heldBy: ['test/service/auth/tokens.test.ts > a token expires, even if it is cached'],
  },
  {
    section,
    rule: 'A further token request returns a new token.',
    heldBy: [
      'test/api/signIn.test.ts > signing in > a token that is about to expire is renewed while calls still use it',
      'test/api/signIn.test.ts > signing in > calls rejected by %s renew the token once and are sent once more, a create too',
    ],
  },
]
