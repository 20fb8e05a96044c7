import type { Rule } from '../rule.ts'

const section = 'Authentication'

export const signIn: readonly Rule[] = [
  {
    section,
    rule: 'Every request carries the access token as a bearer; without one it is not served.',
    heldBy: [
      'test/api/signIn.test.ts > signing in > sends the form of the specification, and the token with each request',
      'test/service/failures.test.ts > a missing token is asked for, a bad one is called bad',
      'test/service/protocol.test.ts > the OpenAPI document > lists what is there, and everything that it lists is there',
    ],
  },
  {
    section,
    rule: 'A token is asked for with a form at /connect/token: client_id, client_secret, grant_type client_credentials, scope integration_api.',
    heldBy: [
      'test/service/signIn.test.ts > a token is given > %s',
      'test/service/signIn.test.ts > no token is given (RFC 6749 section 5.2) > %s',
      'test/api/signIn.test.ts > signing in > sends the form of the specification, and the token with each request',
    ],
  },
  {
    section,
    rule: 'The answer has access_token, token_type bearer, and expires_in in whole seconds.',
    heldBy: ['test/service/signIn.test.ts > a token is given > %s'],
  },
  {
    section,
    rule: 'A token ends soon, after the seconds that expires_in says.',
    heldBy: ['test/service/tokens.test.ts > a token ends with its life, also when it is remembered'],
  },
  {
    section,
    rule: 'A new token is got by asking again.',
    heldBy: [
      'test/api/signIn.test.ts > signing in > a token that is about to expire is renewed while calls go on with it',
      'test/api/signIn.test.ts > signing in > twenty rejected calls renew the token once and go out once more, a create too',
    ],
  },
]
