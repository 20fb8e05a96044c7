import type { Rule } from '../rule.ts'

/** General rules, errors, limits, versioning. */
export const protocol: readonly Rule[] = [
  {
    section: 'Resources and their fields',
    rule: 'All identifiers are strings.',
    heldBy: ['test/conformance/interface.test.ts > every uid that $name takes or answers is text'],
  },
  {
    section: 'Resources and their fields',
    rule: 'Names of properties are exactly those that are written.',
    heldBy: [
      'test/conformance/interface.test.ts > $name answers the fields of the specification, in its casing',
      'test/service/protocol.test.ts > the envelope > comes last, and fields as the specification spells them',
    ],
  },
  {
    section: 'General rules',
    rule: 'Every operation is a POST to its path below the base address.',
    heldBy: [
      'test/conformance/interface.test.ts > $name is under the path of the specification',
      'test/service/protocol.test.ts > the OpenAPI document > lists what is there, and everything that it lists is there',
      'test/service/failures.test.ts > the first check that fails is the answer > %s',
    ],
  },
  {
    section: 'General rules',
    rule: 'Bodies are application/json, but for the upload.',
    heldBy: [
      'test/service/failures.test.ts > the first check that fails is the answer > %s',
      'test/service/suggestionsRequest.test.ts > the first check that fails is the answer > %s: %i %s',
    ],
  },
  {
    section: 'General rules',
    rule: 'Every response has success, error (code or null) and message (text or null).',
    heldBy: [
      'test/service/protocol.test.ts > the envelope',
      'test/service/failures.test.ts > what is not even HTTP gets an envelope too',
      'test/service/signIn.test.ts > no token is given (RFC 6749 section 5.2) > %s',
    ],
  },
  {
    section: 'General rules',
    rule: 'Create operations take PascalCase and answer camelCase; the others are camelCase both ways.',
    heldBy: [
      'test/conformance/interface.test.ts > $name takes the fields of the specification, in its casing',
      'test/conformance/interface.test.ts > $name answers the fields of the specification, in its casing',
    ],
  },
  {
    section: 'What the service does',
    rule: 'The dispatcher is the API client that signed in: its shipments are its own.',
    heldBy: [
      "test/service/foreignTenant.test.ts > somebody else's is answered exactly like an unknown one",
      'test/service/shipmentLife.test.ts > an issue goes from the dispatcher to the user, and stock to nobody',
    ],
  },
  {
    section: 'What the service does',
    rule: 'Where a shipment needs a user that is not given, it is the main account of the dispatcher.',
    heldBy: [
      'test/service/createLocalShipment.test.ts > who sends and who receives: %s of > %s',
      'test/service/linkedMaking.test.ts > users, details and links, in the order of the specification',
    ],
  },
  {
    section: 'Errors',
    rule: 'Each operation declares the codes that the table has for it.',
    heldBy: ['test/conformance/interface.test.ts > $name declares the codes of the specification'],
  },
  {
    section: 'Errors',
    rule: 'Every code that an operation declares can be met, and no other; no input whatever makes it fail.',
    heldBy: [
      'test/service/everyCode.test.ts > every code that %s declares is reached, and no other',
      'test/service/everyFailure.test.ts > every failure that a request can meet is here',
      'test/service/anyInput.test.ts > whatever the body is',
      'test/service/anyInput.test.ts > each field with what is odd, and all others as they should be',
    ],
  },
  {
    section: 'Errors',
    rule: 'InvalidShipment: the shipment is unknown, or the caller may not manage it.',
    heldBy: [
      "test/service/foreignTenant.test.ts > somebody else's is answered exactly like an unknown one",
      'test/service/unlockShipmentLocker.test.ts > a shipment that is unknown is InvalidShipment, and one without a locker InvalidShipmentState',
    ],
  },
  {
    section: 'Errors',
    rule: 'InvalidShipmentState: the shipment is in a state in which that is not possible.',
    heldBy: [
      'test/service/setShipmentReceiver.test.ts > $before: in $state, with a receiver: $receiver',
      'test/service/unlockShipmentLocker.test.ts > $before: $letter in $state',
    ],
  },
  {
    section: 'Errors',
    rule: 'UnlockNotAllowed: the goal is not allowed now.',
    heldBy: ['test/service/unlockShipmentLocker.test.ts > $before: $letter in $state > with the goal %s: %s'],
  },
  {
    section: 'Errors',
    rule: 'InvalidAccessCode: a pinCode is given and is wrong.',
    heldBy: ['test/service/unlockCodes.test.ts > $before, with the goal $goal > %s (it opens with …)'],
  },
  {
    section: 'Errors',
    rule: 'UnlockFailed: the locker did not open for another reason, the hardware for one.',
    heldBy: ['test/service/hardware.test.ts > a door that does not open is UnlockFailed, and nothing has changed:'],
  },
  {
    section: 'Errors',
    rule: 'InvalidUserUid: no user uid, or one that is not valid.',
    heldBy: [
      'test/service/foreignAccounts.test.ts > %s without a uid > %s: InvalidUserUid',
      "test/service/foreignAccounts.test.ts > somebody else's account is answered exactly like an unknown one, and stays as it is",
    ],
  },
  {
    section: 'Errors',
    rule: 'NoRequestData, NoRequestFile, MissingFile, InvalidImportType, InvalidHeader: what is wrong with an upload.',
    heldBy: [
      'test/service/suggestionsRequest.test.ts > the first check that fails is the answer > %s: %i %s',
      'test/service/suggestionsFiles.test.ts > a file is refused as > %s: %s',
    ],
  },
  {
    section: 'Limits',
    rule: 'An item has at least 1 cm on each side.',
    heldBy: ['test/conformance/interface.test.ts > $name takes an item of 1 cm and none below, whichever side it is'],
  },
  {
    section: 'Limits',
    rule: 'The answer to the token request says how many seconds are left.',
    heldBy: ['test/service/signIn.test.ts > a token is given > %s'],
  },
  {
    section: 'Limits',
    rule: 'There is SimulateLockerAccess in staging only.',
    heldBy: [
      'test/service/protocol.test.ts > the OpenAPI document > has no simulation in production, where it is an unknown operation',
    ],
  },
  {
    section: 'Limits',
    rule: 'Only the latest upload of suggestions is active.',
    heldBy: ['test/service/suggestions.test.ts > an upload > leaves no row of the one before in the store'],
  },
  {
    section: 'Versioning',
    rule: 'Every operation is under /v1/, those of the specification under /v1/Logistics/ and /v1/Account/.',
    heldBy: [
      'test/contract/operations.test.ts > %s is declared under its own name and path',
      'test/conformance/interface.test.ts > $name is under the path of the specification',
    ],
  },
]
