import type { Rule } from '../rule.ts'

/** General rules, errors, limits, versioning. */
export const protocol: readonly Rule[] = [
  {
    section: 'Resources and their fields',
    rule: 'All identifiers are strings.',
    heldBy: ['test/conformance/interface.test.ts > every uid that $name accepts or returns is text'],
  },
  {
    section: 'Resources and their fields',
    rule: 'Names of properties have exactly the written casing.',
    heldBy: [
      'test/conformance/interface.test.ts > $name returns the fields of the specification, in its casing',
      'test/service/http/protocol.test.ts > the envelope > comes last, with fields as the specification spells them',
    ],
  },
  {
    section: 'General rules',
    rule: 'Every operation is a POST to its path below the base address.',
    heldBy: [
      'test/conformance/interface.test.ts > $name is under the path of the specification',
      'test/service/http/protocol.test.ts > the OpenAPI document > lists every operation, and every listed operation exists',
      'test/service/http/parseRequest.test.ts > the first failing check decides the response > %s',
    ],
  },
  {
    section: 'General rules',
    rule: 'Bodies are application/json, except for the upload.',
    heldBy: [
      'test/service/http/parseRequest.test.ts > the first failing check decides the response > %s',
      'test/service/suggestions/uploadRequest.test.ts > the first failing check decides the response > %s: %i %s',
    ],
  },
  {
    section: 'General rules',
    rule: 'Every response has success, error (code or null) and message (text or null).',
    heldBy: [
      'test/service/http/protocol.test.ts > the envelope',
      'test/service/http/parseRequest.test.ts > malformed HTTP gets an envelope too',
      'test/service/auth/tokenEndpoint.test.ts > no token is issued (RFC 6749 section 5.2) > %s',
    ],
  },
  {
    section: 'General rules',
    rule: 'Create operations have requests in PascalCase and responses in camelCase. The others use camelCase for both.',
    heldBy: [
      'test/conformance/interface.test.ts > $name takes the fields of the specification, in its casing',
      'test/conformance/interface.test.ts > $name returns the fields of the specification, in its casing',
    ],
  },
  {
    section: 'Specification, What the service does',
    rule: 'The dispatcher is the API client that signed in: its shipments are its own.',
    heldBy: [
      'test/service/tenancy/foreignIdentifiers.test.ts > a foreign identifier gets the same response as an unknown one',
      'test/service/shipments/lifecycle.test.ts > an issue goes from the dispatcher to the user, and stock has no receiver',
    ],
  },
  {
    section: 'Specification, What the service does',
    rule: 'A required user that is absent defaults to the main account of the dispatcher.',
    heldBy: [
      'test/service/operations/logistics/createLocalShipment.test.ts > who sends and who receives: %s of > %s',
      'test/service/shipments/createLinked.test.ts > users, details and links, in the order of the specification',
    ],
  },
  {
    section: 'Errors',
    rule: 'Each operation declares its codes of the table.',
    heldBy: ['test/conformance/interface.test.ts > $name declares the codes of the specification'],
  },
  {
    section: 'Errors',
    rule: 'An operation returns its declared codes and no others. No input causes an internal error.',
    heldBy: [
      'test/service/operations/errorCodes.test.ts > exactly the declared codes of %s are reached',
      'test/service/http/failures.test.ts > the table has every failure of a request',
      'test/service/http/anyInput.test.ts > with any body',
      'test/service/http/anyInput.test.ts > with one unexpected field and valid others',
    ],
  },
  {
    section: 'Errors',
    rule: 'InvalidShipment: the shipment is unknown, or the caller may not manage it.',
    heldBy: [
      'test/service/tenancy/foreignIdentifiers.test.ts > a foreign identifier gets the same response as an unknown one',
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > a shipment that is unknown is InvalidShipment, and one without a locker InvalidShipmentState',
    ],
  },
  {
    section: 'Errors',
    rule: 'InvalidShipmentState: the state of the shipment does not allow the operation.',
    heldBy: [
      'test/service/operations/logistics/setShipmentReceiver.test.ts > $before: in $state, with a receiver: $receiver',
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > $before: $letter in $state',
    ],
  },
  {
    section: 'Errors',
    rule: 'UnlockNotAllowed: the state of the shipment does not allow the goal.',
    heldBy: [
      'test/service/operations/logistics/unlockShipmentLocker.test.ts > $before: $letter in $state > with the goal %s: %s',
    ],
  },
  {
    section: 'Errors',
    rule: 'InvalidAccessCode: the given pinCode is wrong.',
    heldBy: ['test/service/lockers/unlockCodes.test.ts > $before, with the goal $goal > %s (it opens with …)'],
  },
  {
    section: 'Errors',
    rule: 'UnlockFailed: the locker did not open for another reason, such as its hardware.',
    heldBy: [
      'test/service/hardware/hardware.test.ts > a door that does not open is UnlockFailed, and nothing has changed:',
    ],
  },
  {
    section: 'Errors',
    rule: 'InvalidUserUid: the user uid is absent or invalid.',
    heldBy: [
      'test/service/tenancy/foreignAccounts.test.ts > %s without a uid > %s: InvalidUserUid',
      'test/service/tenancy/foreignAccounts.test.ts > a foreign account gets the same response as an unknown one, and does not change',
    ],
  },
  {
    section: 'Errors',
    rule: 'NoRequestData, NoRequestFile, MissingFile, InvalidImportType, InvalidHeader: the faults of an upload.',
    heldBy: [
      'test/service/suggestions/uploadRequest.test.ts > the first failing check decides the response > %s: %i %s',
      'test/service/suggestions/readFile.test.ts > a file is refused as > %s: %s',
    ],
  },
  {
    section: 'Limits',
    rule: 'An item has at least 1 cm on each side.',
    heldBy: ['test/conformance/interface.test.ts > $name accepts an item of 1 cm and nothing smaller, on any side'],
  },
  {
    section: 'Limits',
    rule: 'The response to the token request has the lifetime in seconds.',
    heldBy: ['test/service/auth/tokenEndpoint.test.ts > a token is issued > %s'],
  },
  {
    section: 'Limits',
    rule: 'SimulateLockerAccess is an operation of staging only.',
    heldBy: [
      'test/service/http/protocol.test.ts > the OpenAPI document > has no simulation in production, where the operation is unknown',
    ],
  },
  {
    section: 'Limits',
    rule: 'Only the latest upload of suggestions is active.',
    heldBy: ['test/service/suggestions/upload.test.ts > an upload > leaves no row of the previous one in the store'],
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
