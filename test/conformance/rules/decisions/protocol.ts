import type { Rule } from '../../rule.ts'

/** What docs/decisions.md says of the protocol. */
export const protocolDecisions: readonly Rule[] = [
  {
    section: 'Protocol: Casing',
    rule: 'Requests are read in any casing, at every depth; two keys that differ only in casing are InvalidRequest.',
    heldBy: [
      'test/service/protocol.test.ts > casing > requests are accepted in any, at every depth',
      'test/service/protocol.test.ts > casing > two keys that differ only in casing are refused, at every depth',
    ],
  },
  {
    section: 'Protocol: Unknown properties',
    rule: 'They are ignored, by the service and by the client.',
    heldBy: [
      'test/service/protocol.test.ts > casing > unknown keys are ignored',
      'test/api/answers.test.ts > reading an answer > a success %s',
    ],
  },
  {
    section: 'Protocol: Envelope',
    rule: 'The client takes an answer without success or error.',
    heldBy: ['test/api/answers.test.ts > reading an answer > a success %s'],
  },
  {
    section: 'Protocol: HTTP status',
    rule: 'A refusal is an answer with status 200.',
    heldBy: [
      'test/service/protocol.test.ts > the envelope > of a refusal is an answer with status 200',
      'test/contract/operations.test.ts > %s is an answer',
    ],
  },
  {
    section: 'Protocol: HTTP status',
    rule: 'Everything else that fails has the status and the code of the table, and what is wrong is named.',
    heldBy: [
      'test/service/failures.test.ts > the first check that fails is the answer > %s',
      'test/service/everyFailure.test.ts > %s > $name',
      'test/service/everyFailure.test.ts > an Idempotency-Key',
      'test/service/failures.test.ts > every offending field is named',
      'test/service/failures.test.ts > an inner failure tells the request id, and nothing of what went wrong',
      'test/service/failures.test.ts > a store that is gone makes the service unavailable and not ready',
      'test/service/tokens.test.ts > a token %s',
      'test/service/idempotency.test.ts > another body is refused and changes nothing',
      'test/service/idempotency.test.ts > while the first request runs, the second one is told so',
    ],
  },
  {
    section: 'Protocol: Absent identifiers',
    rule: 'An absent pickUpPointUid of a new account is InvalidPupUid, every other missing field InvalidRequest.',
    heldBy: ['test/contract/request.test.ts > an identifier with a code of its own > %s is InvalidPupUid'],
  },
  {
    section: 'Protocol: Order of checks',
    rule: 'Whatever else is wrong, the first check that fails is the answer, in the order of the table.',
    heldBy: [
      'test/service/everyFailure.test.ts > before an operation looks at anything > $name: the first thing that is wrong is the answer, whichever it is',
      'test/service/everyCode.test.ts > the order of checks > $title: $codes',
      'test/service/everyCode.test.ts > the order of checks > $title is answered with a success when nothing is wrong',
      'test/service/failures.test.ts > the first check that fails is the answer > %s',
      'test/service/lockerChoice.test.ts > the pick up point is checked before the user, and the user before the locker',
      'test/service/setShipmentReceiver.test.ts > refused in the order of the checks > $error: $before, $fields',
    ],
  },
  {
    section: "Protocol: Somebody else's identifier",
    rule: 'It is answered exactly like an unknown one.',
    heldBy: [
      "test/service/foreignTenant.test.ts > somebody else's is answered exactly like an unknown one > $operation with a $kind",
    ],
  },
  {
    section: 'Protocol: Token',
    rule: 'It is a signed JWT whose keys are published, with audience and issuer checked.',
    heldBy: [
      'test/service/tokens.test.ts > anybody can check a token through the discovery document, which shows no private key',
      'test/service/tokens.test.ts > a token %s',
      'test/service/tokens.test.ts > a signature by anybody else is worth nothing',
    ],
  },
  {
    section: 'Protocol: Token',
    rule: 'Failures are those of RFC 6749 section 5.2, and credentials may come by HTTP Basic.',
    heldBy: [
      'test/service/signIn.test.ts > no token is given (RFC 6749 section 5.2) > %s',
      'test/service/signIn.test.ts > a token is given > %s',
    ],
  },
  {
    section: 'Protocol: Token',
    rule: 'A signing key that is replaced costs no request: each process accepts a new key at once, and an old one as long as its tokens live.',
    heldBy: [
      'test/service/tokenRotation.test.ts > a signing key that is replaced at a restart, twice, costs no client its token',
      'test/service/tokenRotation.test.ts > with two processes during the change no request is lost at all',
      'test/service/tokens.test.ts > a running process accepts the tokens of one that was started with a newer key',
      'test/service/tokens.test.ts > a key that takes the place of another one under its name replaces it, and outlives nobody',
    ],
  },
  {
    section: 'Protocol: Lengths',
    rule: 'Texts have the stated lengths at most, and a side of an item 10,000 cm.',
    heldBy: [
      'test/conformance/lengths.test.ts > $operation takes $field up to its length and no further',
      'test/conformance/lengths.test.ts > no field of $name takes a text that has no end, or the character NUL',
      'test/contract/request.test.ts > a body that does not fit > an account with %s %s',
    ],
  },
  {
    section: 'Protocol: Rate limit',
    rule: 'A token bucket per API client, with its size as a setting.',
    heldBy: [
      'test/service/failures.test.ts > a client that asks too much is told when to come back, and others are served',
      'test/service/environment.test.ts > production limits the rate, calls back to public addresses only, and listens everywhere',
    ],
  },
  {
    section: 'Protocol: Rate limit',
    rule: 'Wrong secrets and wrong pin codes have limits of their own.',
    heldBy: [
      'test/service/signIn.test.ts > wrong secrets lock the client out for a while, the right one included, and nobody else',
      'test/service/wrongCodes.test.ts > five wrong codes lock the locker, for twice as long each further time; a right one starts anew',
      'test/service/wrongCodes.test.ts > wrong codes at once gain nothing: five are looked at',
    ],
  },
  {
    section: 'Protocol: Times',
    rule: 'They have no offset and are in UTC.',
    heldBy: [
      'test/conformance/times.test.ts > stateStart is ISO 8601 without a zone, in the listing and in the callback',
    ],
  },
  {
    section: 'Protocol: Idempotency',
    rule: 'The same key and body get the first answer again for 24 h, refusals included.',
    heldBy: [
      'test/service/idempotency.test.ts > the same key and body get the same answer, and one shipment',
      'test/service/idempotency.test.ts > a refusal is kept like a success',
      'test/service/idempotency.test.ts > each API client has keys of its own',
      'test/service/idempotency.test.ts > a key is free again after a day',
    ],
  },
  {
    section: 'Protocol: Pages',
    rule: 'pageNo is 1 and pageSize 50 when left out; at most 500.',
    heldBy: [
      'test/service/getShipments.test.ts > GetShipments lists by',
      'test/service/getShipments.test.ts > GetShipments pages > not %o',
    ],
  },
]
