import type { Rule } from '../../rule.ts'

/** The decisions on accounts. */
export const accountDecisions: readonly Rule[] = [
  {
    section: 'D-038 Who manages an account',
    rule: 'The tenants that manage its main pick up point manage the account.',
    heldBy: [
      'test/service/operations/account/getAccount.test.ts > an account at a shared pick up point is managed by both tenants',
      'test/service/operations/account/setAccountPickUpPoint.test.ts > the managing tenant follows the main pick up point',
    ],
  },
  {
    section: 'D-039 GetAccount',
    rule: 'It finds accounts by userUid, userName and emailAddress, in this order. Foreign ones only by e-mail address, and only with their userUid.',
    heldBy: ['test/service/operations/account/getAccount.test.ts > GetAccount by > $what finds $finds'],
  },
  {
    section: 'D-040 countryCode',
    rule: 'It is an assigned code of ISO 3166-1, in any casing. Reserved and user-assigned codes are invalid.',
    heldBy: [
      'test/contract/countryCode.test.ts > 249 pairs of letters are valid, in any casing',
      'test/contract/countryCode.test.ts > %s is rejected by %s with a message that says what is valid',
    ],
  },
  {
    section: 'D-041 mailCode',
    rule: 'It has eight characters, is unique, and is assigned at creation.',
    heldBy: [
      'test/service/accounts/register.test.ts > a new account is answered as it was given, with a mail code of its own',
      'test/conformance/places.test.ts > no two accounts have the same mail code',
    ],
  },
  {
    section: 'D-042 No `userUid`',
    rule: 'It is InvalidUserUid, like an unknown one. A missing pickUpPointUid of SetAccountPickUpPoint is InvalidRequest.',
    heldBy: [
      'test/service/tenancy/foreignAccounts.test.ts > %s without a uid > %s: InvalidUserUid',
      'test/service/operations/account/setAccountPickUpPoint.test.ts > the first check that fails decides the error: $ask, $error',
    ],
  },
  {
    section: 'D-043 SetAccountDetails',
    rule: 'Null means absent. Names and address must be complete, and the message lists the missing fields.',
    heldBy: [
      'test/service/operations/account/setAccountDetails.test.ts > only given fields change > $ask',
      'test/service/operations/account/setAccountDetails.test.ts > fields that go together: the missing ones are named > $ask lacks $missing',
    ],
  },
  {
    section: 'D-043 SetAccountDetails',
    rule: 'It is EmailAlreadyRegistered, regardless of the tenant that manages the other account.',
    heldBy: [
      'test/service/operations/account/setAccountDetails.test.ts > the address of another account, of any tenant: EmailAlreadyRegistered: %s',
    ],
  },
  {
    section: 'D-044 SetAccountPickUpPoint',
    rule: 'The tenant must manage the new pick up point.',
    heldBy: [
      'test/service/operations/account/setAccountPickUpPoint.test.ts > a pick up point that is $what: InvalidPupUid',
    ],
  },
  {
    section: 'D-045 Mutation flags',
    rule: "The flags are null until they are set. They restrict CreateOrGetAccount, not the tenant's own changes.",
    heldBy: [
      'test/service/accounts/mutationConfig.test.ts > nine flags are returned, null until they are set',
      'test/service/accounts/mutationConfig.test.ts > canChangeEmailAddress binds CreateOrGetAccount from the next call on',
      'test/service/operations/account/setAccountDetails.test.ts > the tenant may change an address that the user may not',
    ],
  },
  {
    section: 'D-046 RemoveAccount',
    rule: 'It is AccountInUse while any tenant has an active shipment for it, and for the main account of a dispatcher.',
    heldBy: [
      'test/service/operations/account/removeAccount.test.ts > an account of an active shipment is AccountInUse until that ends > $before, then $ends',
      "test/service/operations/account/removeAccount.test.ts > another tenant's active shipment counts, and is not revealed",
      "test/service/operations/account/removeAccount.test.ts > a dispatcher's main account is AccountInUse without a shipment too, and unknown to other tenants",
    ],
  },
  {
    section: 'D-046 RemoveAccount',
    rule: 'Its e-mail address and user name become available.',
    heldBy: [
      'test/service/operations/account/removeAccount.test.ts > a removed account is unknown to every look-up, and its address and user name are free',
    ],
  },
  {
    section: 'D-047 MutationConfigFailed',
    rule: 'Only the configuration is rolled back. The account remains and is returned. If the database fails, neither remains.',
    heldBy: [
      'test/service/accounts/mutationConfigFailed.test.ts > when $what',
      'test/service/accounts/mutationConfigFailed.test.ts > a store that loses the whole transaction has no account either, and no response says that it has',
    ],
  },
  {
    section: 'D-048 Sandbox faults',
    rule: "SetSandboxFaults sets faults of the caller's tenant until they are switched off. It does not exist in production.",
    heldBy: [
      'test/service/sandbox/faults.test.ts > the active faults are returned; null and absent change nothing',
      "test/service/sandbox/faults.test.ts > a tenant's faults are its own",
      'test/service/sandbox/faults.test.ts > in $environment the operation is there and in the document: $there',
    ],
  },
  {
    section: 'D-122 Removed accounts in stored responses',
    rule: 'RemoveAccount leaves only the uid in stored responses, and a repeated request creates nothing.',
    heldBy: ['test/service/accounts/storedResponses.test.ts'],
  },
  {
    section: 'D-123 userName by default',
    rule: 'A user name that was not given follows the e-mail address, and the former address is free.',
    heldBy: ['test/service/accounts/userName.test.ts'],
  },
  {
    section: "D-125 A dispatcher's main account",
    rule: 'Other tenants find it by e-mail only, and do not change, move or remove it.',
    heldBy: ['test/service/tenancy/dispatcherAccounts.test.ts'],
  },
  {
    section: 'D-049 Existing accounts',
    rule: 'The result of CreateAccount and CreateOrGetAccount depends on which account has the e-mail address and the user name.',
    heldBy: ['test/service/accounts/registrationTable.test.ts > %s of > $email, $userName'],
  },
  {
    section: 'D-428 An e-mail address as the user name of another account',
    rule: 'A given user name of another account never refuses an account with that e-mail address.',
    heldBy: ['test/service/accounts/addressAsName.test.ts'],
  },
  {
    section: 'D-429 Case and forms of characters',
    rule: 'User names are compared, and suggestions and pick up points searched, regardless of case and of composed characters, and existing keys are migrated.',
    heldBy: [
      'test/service/textKey.test.ts',
      'test/service/accounts/unicodeNames.test.ts',
      'test/service/suggestions/search.test.ts > a word is found in any case and form of its characters',
      'test/service/operations/pickUpPoints/getPickUpPoints.test.ts',
      'test/service/store/migrations.test.ts > a store with names in lower case gets the keys of every form, and keeps both of two names that become one',
    ],
  },
  {
    section: 'D-430 Characters of names',
    rule: 'Names contain a visible character, no control characters and none that change the direction of the text, in accounts and uploads.',
    heldBy: [
      'test/contract/request.test.ts > an invalid body > an account with %s %s',
      'test/contract/emailAddress.test.ts > a name with a character that reorders the text is rejected in an upload too',
    ],
  },
  {
    section: 'D-431 Length of an e-mail address',
    rule: 'An e-mail address has at most 64 characters before the @ and 254 in all, and the message names the field and the limit.',
    heldBy: [
      'test/contract/emailAddress.test.ts > the message of %s names the field and the limit',
      'test/conformance/lengths.test.ts > $operation accepts $field up to its maximum length',
    ],
  },
  {
    section: 'D-396 Blanks',
    rule: 'Names and parts of an address are stored without the blanks around them, and GetAccount finds a user name despite them.',
    heldBy: [
      'test/service/accounts/blanks.test.ts',
      'test/service/operations/account/getAccount.test.ts > GetAccount by > $what finds $finds',
    ],
  },
]
