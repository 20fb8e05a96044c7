import type { Rule } from '../../rule.ts'

/** The decisions on flows over HTTP. */
export const flowApiDecisions: readonly Rule[] = [
  {
    section: 'D-272 A listener of its own in the gateway',
    rule: 'Callbacks arrive while callers flood the flow API, whose requests, lists, streams and tokens are limited.',
    heldBy: [
      'test/gateway/flowApi/limits.test.ts',
      'test/gateway/flowApi/tokens.test.ts > tokens %s leave the limit of checks to others',
      'test/gateway/traces.test.ts',
    ],
  },
  {
    section: 'D-273 Tokens of any issuer, and clients of one tenant',
    rule: 'A token needs a valid signature, the issuer, the audience, the scope and a time; a client of the service the tenant.',
    heldBy: ['test/gateway/flowApi/tokens.test.ts', 'test/gateway/flowApi/environment.test.ts'],
  },
  {
    section: 'D-414 The type of a token',
    rule: 'A token of another type than an access token is refused, and an ID token allows nothing.',
    heldBy: [
      'test/gateway/flowApi/tokens.test.ts > a token of the type %s is accepted',
      'test/gateway/flowApi/tokens.test.ts > an ID token for the same audience allows nothing',
      'test/gateway/flowApi/tokens.test.ts > a token is refused > %s',
      'test/codecServer/server.test.ts > sign-in with tokens > refuses tokens of another type',
    ],
  },
  {
    section: 'D-274 Results of the client as HTTP',
    rule: 'Every result of the flow client has one schema and one status.',
    heldBy: [
      'test/gateway/flowApi/results.test.ts',
      'test/gateway/flowApi/operations.test.ts',
      'test/gateway/flowApi/apiDocs.test.ts',
    ],
  },
  {
    section: 'D-275 Only declared flows start',
    rule: 'A name that no declaration has starts no workflow.',
    heldBy: [
      'test/gateway/flowApi/operations.test.ts > a start > of an unknown flow, or of a workflow that is not a flow, starts nothing',
      'test/gateway/flowApi/ownFlows.test.ts',
    ],
  },
  {
    section: 'D-276 Event streams',
    rule: 'A stream continues after its last event, ends with the flow and with its token, and does not begin again.',
    heldBy: ['test/gateway/flowApi/events.test.ts'],
  },
  {
    section: 'D-366 Revoked clients of the service',
    rule: 'A revoked client loses its requests and its streams within seconds, and no request costs a question of its own.',
    heldBy: [
      'test/gateway/flowApi/tokens.test.ts > a client of the service > is refused once it is revoked, and accepted with a new token',
      'test/gateway/flowApi/tokens.test.ts > a client of the service > costs one question in a while, however many requests it sends',
      'test/gateway/flowApi/tokens.test.ts > a client of the service > is accepted for a while when the service is away, and then told to come again',
      'test/gateway/flowApi/revocation.test.ts',
      'test/service/auth/introspection.test.ts',
    ],
  },
  {
    section: 'D-371 The role of an answer',
    rule: 'A token answers a question of the running flow in the role that its plan names, and gets 403 otherwise.',
    heldBy: [
      'test/gateway/flowApi/ownFlows.test.ts > an answer > %s is refused, and names the role',
      'test/gateway/flowApi/ownFlows.test.ts > an answer > needs the role of the running flow, also before the flow asks and after it has the answer',
      'test/gateway/flowApi/tokens.test.ts > the roles of a caller',
      'test/gateway/flowApi/environment.test.ts',
    ],
  },
  {
    section: 'D-438 Connections that the gateway closes',
    rule: 'Only a caller that closes the connection, or stops reading, is logged as CallAborted.',
    heldBy: [
      'test/gateway/flowApi/connections.test.ts > a caller that does not break off is not logged as one that did > its request that arrives too late is 408, which names the limit',
      'test/gateway/flowApi/connections.test.ts > a caller that does not break off is not logged as one that did > its connection that a stop closes is Unavailable',
      'test/gateway/flowApi/limits.test.ts > a start that its caller breaks off is logged as aborted, and a followed flow is not',
    ],
  },
  {
    section: 'D-448 Calls whose caller has gone',
    rule: 'A call ends some seconds after its caller has gone, and counts no more.',
    heldBy: [
      'test/gateway/flowApi/limits.test.ts > a call whose caller has gone ends soon, and is not in progress any more',
    ],
  },
]
