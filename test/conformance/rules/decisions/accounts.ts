import type { Rule } from '../../rule.ts'

/** What docs/decisions.md says of accounts. */
export const accountDecisions: readonly Rule[] = [
  {
    section: 'Accounts: Who manages an account',
    rule: 'The tenants that manage its main pick up point.',
    heldBy: [
      'test/service/getAccount.test.ts > an account at a shared pick up point is managed by both tenants',
      'test/service/setAccountPickUpPoint.test.ts > who manages an account follows its main pick up point',
    ],
  },
  {
    section: 'Accounts: GetAccount',
    rule: 'By userUid, userName, emailAddress, in that order; one that is not ours only by e-mail address, with its userUid.',
    heldBy: ['test/service/getAccount.test.ts > GetAccount by > $what finds $finds'],
  },
  {
    section: 'Accounts: countryCode',
    rule: 'A code that ISO 3166-1 has assigned, in any casing; one that is reserved or left to users is none.',
    heldBy: [
      'test/contract/countryCode.test.ts > of all pairs of letters 249 are taken, in any casing',
      'test/contract/countryCode.test.ts > %s is refused by %s with a sentence that says what would be right',
    ],
  },
  {
    section: 'Accounts: mailCode',
    rule: 'Eight characters, unique, given at creation.',
    heldBy: [
      'test/service/accounts.test.ts > a new account is answered as it was given, with a mail code of its own',
      'test/conformance/places.test.ts > no two accounts can have one mail code',
    ],
  },
  {
    section: 'Accounts: No `userUid`',
    rule: 'InvalidUserUid, like one that is unknown; a missing pickUpPointUid of SetAccountPickUpPoint is InvalidRequest.',
    heldBy: [
      'test/service/foreignAccounts.test.ts > %s without a uid > %s: InvalidUserUid',
      'test/service/setAccountPickUpPoint.test.ts > the first check that fails is the answer: $ask, $error',
    ],
  },
  {
    section: 'Accounts: SetAccountDetails',
    rule: 'Null is like absent; what lacks of names and address is named.',
    heldBy: [
      'test/service/setAccountDetails.test.ts > only the fields that are given change > $ask',
      'test/service/setAccountDetails.test.ts > fields that go together: the missing ones are named > $ask lacks $missing',
    ],
  },
  {
    section: 'Accounts: SetAccountDetails',
    rule: 'EmailAlreadyRegistered whoever has the address.',
    heldBy: [
      'test/service/setAccountDetails.test.ts > an address of another account, whoever manages it: EmailAlreadyRegistered: %s',
    ],
  },
  {
    section: 'Accounts: SetAccountPickUpPoint',
    rule: "The new pick up point has to be one's own.",
    heldBy: ['test/service/setAccountPickUpPoint.test.ts > a pick up point that is $what: InvalidPupUid'],
  },
  {
    section: 'Accounts: Mutation flags',
    rule: "Null until somebody says otherwise; they bind CreateOrGetAccount and not the tenant's own changes.",
    heldBy: [
      'test/service/accountMutationConfig.test.ts > nine flags are answered, null until somebody said otherwise',
      'test/service/accountMutationConfig.test.ts > canChangeEmailAddress binds CreateOrGetAccount from the next call on',
      'test/service/setAccountDetails.test.ts > an account whose user may not change its address has it changed by its tenant',
    ],
  },
  {
    section: 'Accounts: RemoveAccount',
    rule: "AccountInUse while there is an active shipment of any tenant, and for a dispatcher's main account.",
    heldBy: [
      'test/service/removeAccount.test.ts > an account of an active shipment is AccountInUse until that ends > $before, then $ends',
      "test/service/removeAccount.test.ts > another tenant's active shipment counts, and is not told",
      "test/service/removeAccount.test.ts > a dispatcher's main account is AccountInUse, also without a shipment and for whoever manages it too",
    ],
  },
  {
    section: 'Accounts: RemoveAccount',
    rule: 'The address and the user name are free again.',
    heldBy: [
      'test/service/removeAccount.test.ts > a removed account is unknown to every look-up, and its address and user name are free',
    ],
  },
  {
    section: 'Accounts: MutationConfigFailed',
    rule: 'Only the configuration is undone; the account stays and is answered; a lost store leaves neither.',
    heldBy: [
      'test/service/mutationConfigFailed.test.ts > when $what',
      'test/service/mutationConfigFailed.test.ts > a store that loses the whole transaction has no account either, and no answer says that it has',
    ],
  },
  {
    section: 'Accounts: Sandbox faults',
    rule: "SetSandboxFaults: a caller's own faults, kept until they are switched off, and not there in production.",
    heldBy: [
      'test/service/sandboxFaults.test.ts > the faults in force are answered; null and absent leave one as it is',
      "test/service/sandboxFaults.test.ts > a tenant's faults are its own",
      'test/service/sandboxFaults.test.ts > in $environment the operation is there and in the document: $there',
    ],
  },
  {
    section: 'Accounts: By what is there already',
    rule: 'What CreateAccount and CreateOrGetAccount do, by whether e-mail address and user name are taken, and by whom.',
    heldBy: ['test/service/accountTable.test.ts > %s of > $email, $userName'],
  },
]
