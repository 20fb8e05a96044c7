import type { Rule } from '../../rule.ts'

/** The decisions on the protocol. */
export const protocolDecisions: readonly Rule[] = [
  {
    section: 'D-001 Casing',
    rule: 'Requests are read in any casing, at every depth; two keys that differ only in casing are InvalidRequest.',
    heldBy: [
      'test/service/http/protocol.test.ts > casing > requests are accepted in any casing, at every depth',
      'test/service/http/protocol.test.ts > casing > two keys that differ only in casing are refused, at every depth',
    ],
  },
  {
    section: 'D-002 Unknown properties',
    rule: 'The service and the client ignore them.',
    heldBy: [
      'test/service/http/protocol.test.ts > casing > unknown keys are ignored',
      'test/api/responses.test.ts > reading a response > a success %s',
    ],
  },
  {
    section: 'D-003 Envelope',
    rule: 'The client accepts a response without success or error.',
    heldBy: ['test/api/responses.test.ts > reading a response > a success %s'],
  },
  {
    section: 'D-004 HTTP status',
    rule: 'A refusal has status 200.',
    heldBy: [
      'test/service/http/protocol.test.ts > the envelope > of a refusal has status 200',
      'test/contract/operations.test.ts > %s is a refusal with HTTP 200',
    ],
  },
  {
    section: 'D-004 HTTP status',
    rule: 'All other failures have the status and the code of the table, and a message that names the fault.',
    heldBy: [
      'test/service/http/parseRequest.test.ts > the first failing check decides the response > %s',
      'test/service/http/failures.test.ts > %s > $name',
      'test/service/http/failures.test.ts > an Idempotency-Key',
      'test/service/http/parseRequest.test.ts > every offending field is named',
      'test/service/http/parseRequest.test.ts > an internal error returns the request id, and no details',
      'test/service/http/parseRequest.test.ts > a lost store makes the service unavailable and not ready',
      'test/service/auth/tokens.test.ts > a token %s',
      'test/service/http/idempotency.test.ts > another body is refused and changes nothing',
      'test/service/http/idempotency.test.ts > while the first request runs, the second one is IdempotencyKeyInUse',
    ],
  },
  {
    section: 'D-005 Absent identifiers',
    rule: 'An absent pickUpPointUid of a new account is InvalidPupUid, every other missing field InvalidRequest.',
    heldBy: ['test/contract/request.test.ts > an identifier with a code of its own > %s is InvalidPupUid'],
  },
  {
    section: 'D-402 Malformed identifiers',
    rule: 'An identifier of another type, or of more than 64 characters, is InvalidRequest in every operation.',
    heldBy: ['test/service/http/parseRequest.test.ts > %s: an identifier like %j is an invalid request'],
  },
  {
    section: 'D-403 Encoding of bodies',
    rule: 'A body is UTF-8, whatever charset its content type names; other bytes are InvalidRequest.',
    heldBy: [
      'test/service/http/parseRequest.test.ts > a body is UTF-8 whatever charset its type names',
      'test/service/http/parseRequest.test.ts > the first failing check decides the response > %s',
    ],
  },
  {
    section: 'D-006 Order of checks',
    rule: 'The first check that fails, in the order of the table, decides the response.',
    heldBy: [
      'test/service/http/failures.test.ts > before an operation runs > $name: the first failing check decides the response',
      'test/service/operations/errorCodes.test.ts > the order of checks > $title: $codes',
      'test/service/operations/errorCodes.test.ts > the order of checks > $title succeeds if every check passes',
      'test/service/http/parseRequest.test.ts > the first failing check decides the response > %s',
      'test/service/lockers/reserve.test.ts > the pick up point is checked before the user, and the user before the locker',
      'test/service/operations/logistics/setShipmentReceiver.test.ts > refused in the order of the checks > $error: $before, $fields',
    ],
  },
  {
    section: 'D-007 Foreign identifiers',
    rule: 'Its response equals that of an unknown one.',
    heldBy: [
      'test/service/tenancy/foreignIdentifiers.test.ts > a foreign identifier gets the same response as an unknown one > $operation with a $kind',
    ],
  },
  {
    section: 'D-008 Tokens',
    rule: 'It is a signed JWT. Its keys are published, and audience and issuer are checked.',
    heldBy: [
      'test/service/auth/tokens.test.ts > tokens can be verified through the discovery document, which shows no private key',
      'test/service/auth/tokens.test.ts > a token %s',
      'test/service/auth/tokens.test.ts > a signature by another key is rejected',
    ],
  },
  {
    section: 'D-008 Tokens',
    rule: 'Failures follow RFC 6749 section 5.2, HTTP Basic credentials are accepted, and the response names a scope that the request did not.',
    heldBy: [
      'test/service/auth/tokenEndpoint.test.ts > no token is issued (RFC 6749 section 5.2) > %s',
      'test/service/auth/tokenEndpoint.test.ts > a token is issued > %s',
    ],
  },
  {
    section: 'D-008 Tokens',
    rule: 'A key rotation fails no request: each process accepts a new key immediately, and an old one until its last token expires.',
    heldBy: [
      'test/service/auth/signingKeyRotation.test.ts > a signing key that is replaced at a restart, twice, costs no client its token',
      'test/service/auth/signingKeyRotation.test.ts > with two processes during the change no request is lost at all',
      'test/service/auth/tokens.test.ts > a running process accepts the tokens of one that was started with a newer key',
      'test/service/auth/tokens.test.ts > a key that replaces another one under the same name invalidates its tokens',
    ],
  },
  {
    section: 'D-009 Lengths',
    rule: 'Texts have maximum lengths, a side of a shipment object is at most 10,000 cm, and no text contains NUL or a lone surrogate.',
    heldBy: [
      'test/conformance/lengths.test.ts > $operation accepts $field up to its maximum length',
      'test/conformance/lengths.test.ts > no field of $name accepts text without a limit, the character NUL, or a lone surrogate',
      'test/contract/request.test.ts > an invalid body > an account with %s %s',
    ],
  },
  {
    section: 'D-009 Lengths',
    rule: 'An e-mail address has atoms of RFC 5321 before the @, and letters or an xn-- label at the top, in accounts and uploads.',
    heldBy: [
      'test/contract/emailAddress.test.ts > an address is valid',
      'test/contract/emailAddress.test.ts > an address is invalid',
      'test/contract/emailAddress.test.ts > accounts and uploads have the same rule',
    ],
  },
  {
    section: 'D-009 Lengths',
    rule: 'A pin code that is longer than any code is InvalidAccessCode.',
    heldBy: [
      'test/service/lockers/pinAttempts.test.ts > a pin code is rejected > $what: $error',
      'test/service/lockers/unlockCodes.test.ts > a code that is longer than any counts as a wrong one',
    ],
  },
  {
    section: 'D-009 Lengths',
    rule: 'A booking with a side over any limit is InvalidDimension.',
    heldBy: ['test/service/lockers/reserve.test.ts > a booking gets > $what: $gets'],
  },
  {
    section: 'D-120 Empty texts',
    rule: 'The empty text of an optional field is null, SetAccountDetails empties the field, and required texts must not be empty.',
    heldBy: [
      'test/contract/emptyTexts.test.ts > the empty text means the same as null > $name: $field',
      'test/contract/emptyTexts.test.ts > $name keeps it to empty $field',
      'test/contract/emptyTexts.test.ts > $name requires a text for $field',
      'test/service/operations/account/setAccountDetails.test.ts > only given fields change > $ask',
    ],
  },
  {
    section: 'D-121 Requests that are refused unread',
    rule: 'A client that sends its whole request before it reads gets the response.',
    heldBy: ['test/service/http/discardBody.test.ts'],
  },
  {
    section: 'D-121 Requests that are refused unread',
    rule: 'Unknown encodings are 415, unknown expectations 417, requests without Host or with two 400, and escaped paths with another method 405, all with the envelope.',
    heldBy: [
      'test/service/http/parseRequest.test.ts > the first failing check decides the response > %s',
      'test/service/http/parseRequest.test.ts > the encoding identity and an escaped whole character are accepted',
      'test/service/http/parseRequest.test.ts > %s reports that it must be called with %s',
      'test/service/http/requestHeaders.test.ts > %s: an unknown expectation is 417, with the envelope and the request id',
      'test/service/http/requestHeaders.test.ts > %s: a request of HTTP/1.1 without Host is 400, with the envelope and the request id',
      'test/service/http/requestHeaders.test.ts > a request of HTTP/%s with two Hosts is 400, even if they are equal',
    ],
  },
  {
    section: 'D-010 Rate limits',
    rule: 'Each API client has a token bucket of configurable size.',
    heldBy: [
      'test/service/http/parseRequest.test.ts > a client above its rate limit gets Retry-After, and others are served',
      'test/service/environment.test.ts > production limits the rate, calls back to public addresses only, and listens everywhere',
    ],
  },
  {
    section: 'D-010 Rate limits',
    rule: 'Wrong secrets and wrong pin codes have separate limits.',
    heldBy: [
      'test/service/auth/tokenEndpoint.test.ts > wrong secrets lock out only that client for a while, the right secret included',
      'test/service/lockers/pinAttempts.test.ts > five wrong codes lock the locker, twice as long each further time; a right one resets that',
      'test/service/lockers/pinAttempts.test.ts > concurrent wrong codes gain nothing: five are checked',
    ],
  },
  {
    section: 'D-011 Times',
    rule: 'Times are in UTC, without an offset.',
    heldBy: [
      'test/conformance/times.test.ts > stateStart is ISO 8601 without a zone, in the listing and in the callback',
    ],
  },
  {
    section: 'D-012 Idempotency',
    rule: 'For 24 h, a repeated key with the same operation and body gets the first response again, refusals included.',
    heldBy: [
      'test/service/http/idempotency.test.ts > the same key and body get the same response, and one shipment',
      'test/service/http/idempotency.test.ts > a refusal is stored like a success',
      'test/service/http/idempotency.test.ts > each API client has keys of its own',
      'test/service/http/idempotency.test.ts > a key is free again after a day',
    ],
  },
  {
    section: 'D-013 Pages',
    rule: 'pageNo defaults to 1 and pageSize to 50, with a maximum of 500.',
    heldBy: [
      'test/service/operations/logistics/getShipments.test.ts > GetShipments lists by',
      'test/service/operations/logistics/getShipments.test.ts > GetShipments pages > not %o',
    ],
  },
  {
    section: 'D-101 Limits of objects and pages',
    rule: 'A shipment has at most 100 objects, and a page at most 1,000. A larger page is refused, and pages of 10 shipments are complete.',
    heldBy: ['test/service/shipments/bounds.test.ts', 'test/activities/shipmentPages.test.ts'],
  },
  {
    section: 'D-101 Limits of objects and pages',
    rule: 'Every list in a request has a largest number of members. The members of a longer one are not checked.',
    heldBy: ['test/contract/bounds.test.ts'],
  },
  {
    section: 'D-160 Messages',
    rule: 'Messages of codes of our own end with the address of their code, which resolves to a heading.',
    heldBy: [
      'test/contract/errorReference.test.ts',
      'test/service/http/failures.test.ts > before an operation runs > $name: the first failing check decides the response',
    ],
  },
  {
    section: 'D-415 Addresses in responses',
    rule: 'A response has no address of a file or of Temporal, and keeps that of a public page.',
    heldBy: [
      'test/contract/errorReference.test.ts > a response with %s has no address of a file, and that of a public page if the code is our own',
      'test/gateway/flowApi/publicMessages.test.ts',
      'test/gateway/outages.test.ts > Temporal cannot accept the signal > unavailable at the start: the gateway is alive, waits, and logs the address',
      'test/codecServer/server.test.ts > the health check > names a database that is away, and only the log has its address and never its password',
      'test/worker/startup.test.ts > a worker process > waits for a Temporal that is away, and stops within ten seconds when it stands still',
    ],
  },
  {
    section: 'D-442 Token without a lifetime',
    rule: 'A client uses a token whose lifetime is a text, absent or no number above zero.',
    heldBy: ['test/api/signIn.test.ts > signing in > accepts a token whose lifetime is given %s, and uses it again'],
  },
  {
    section: 'D-450 Codes of technical faults',
    rule: 'A code of a technical fault is retried like its HTTP status, also with HTTP 200.',
    heldBy: [
      'test/api/signIn.test.ts > signing in > calls rejected by %s renew the token once and are sent once more, a create too',
      'test/api/responses.test.ts > reading a response > %s with HTTP %i is no refusal but a fault: %s',
      'test/workflows/steps/book/outages.test.ts > a service that returns HTTP 200 and the code %s for a while is retried',
    ],
  },
  {
    section: 'D-426 OpenAPI document',
    rule: 'Clients that openapi-python-client and oapi-codegen generate read every example and set every field. The documents avoid forms that OpenAPI Generator refuses or cannot compile.',
    heldBy: [
      'test/contract/openapi/clients.test.ts > a client generated in Python reads every example, and tells a refusal from a success',
      'test/contract/openapi/clients.test.ts > a client generated in Go compiles, and can set each field of a request',
      'test/contract/openapi/document.test.ts > an optional text is one schema, which accepts the empty text as the service does',
      'test/contract/openapi/generators.test.ts',
    ],
  },
  {
    section: 'D-437 Requests that no route reads',
    rule: 'A late request is 408 with the limit. A transfer coding besides chunked is 501, and so is CONNECT.',
    heldBy: [
      'test/service/http/parseRequest.test.ts > a request whose %s stops arriving ends at the limit',
      'test/service/http/requestHeaders.test.ts > %s: a transfer coding besides chunked is 501, and the body is not read as one without it',
      'test/service/http/requestHeaders.test.ts > CONNECT is 501, and the connection ends, although it is to %s',
    ],
  },
  {
    section: 'D-422 HTTP 409 of another service',
    rule: 'A refusal with HTTP 409 and a code of its own is final if the request had no Idempotency-Key.',
    heldBy: [
      'test/api/faults.test.ts > an error status is mapped with and without an error code of the service > 409 without a key, $code and success $success',
    ],
  },
]
