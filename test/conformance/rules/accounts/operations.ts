import type { Rule } from '../../rule.ts'

const section = 'Account management'
const rulesOf = 'test/service/accounts/managementRules.test.ts'

/** Account management: the table of operations. */
export const accountOperations: readonly Rule[] = [
  {
    section,
    rule: 'Each operation has the path, the request fields and the response fields of the table, in its casing.',
    heldBy: [
      'test/conformance/interface.test.ts > $name is under the path of the specification',
      'test/conformance/interface.test.ts > $name takes the fields of the specification, in its casing',
      'test/conformance/interface.test.ts > $name returns the fields of the specification, in its casing',
    ],
  },
  {
    section,
    rule: 'SetAccountDetails needs firstName and lastName both if either is given.',
    heldBy: [
      `${rulesOf} > SetAccountDetails: firstName and lastName are both required if either is set`,
      'test/service/operations/account/setAccountDetails.test.ts > fields that go together: the missing ones are named',
    ],
  },
  {
    section,
    rule: 'SetAccountDetails needs all five parts of an address if any is given.',
    heldBy: [
      `${rulesOf} > SetAccountDetails: all five parts of an address are required if any is set`,
      'test/service/operations/account/setAccountDetails.test.ts > fields that go together: the missing ones are named',
    ],
  },
  {
    section,
    rule: 'SetAccountDetails changes what is given, and returns the account.',
    heldBy: ['test/service/operations/account/setAccountDetails.test.ts > only given fields change'],
  },
  {
    section,
    rule: 'SetAccountPickUpPoint sets the default pick up point, and returns it and whether it changed.',
    heldBy: [
      `${rulesOf} > SetAccountPickUpPoint sets the default pick up point, and returns the current one`,
      'test/service/operations/account/setAccountPickUpPoint.test.ts > another pick up point of the caller becomes the main one, and the same again changes nothing',
    ],
  },
  {
    section,
    rule: 'SetAccountMutationConfig changes only flags that are not null, and returns all nine.',
    heldBy: [
      `${rulesOf} > SetAccountMutationConfig: only flags with a non-null value change`,
      'test/service/accounts/mutationConfig.test.ts > all nine at once, in one account only',
    ],
  },
  {
    section: 'Beyond the specification',
    rule: 'GetAccountMutationConfig returns what SetAccountMutationConfig returns.',
    heldBy: [
      'test/service/accounts/mutationConfig.test.ts > flags that come with an account are those that are answered',
    ],
  },
  {
    section,
    rule: 'RemoveAccount removes accounts that the caller manages, and no others.',
    heldBy: [
      `${rulesOf} > RemoveAccount: only manageable accounts`,
      'test/service/operations/account/removeAccount.test.ts > a removed account is unknown to every look-up, and its address and user name are free',
    ],
  },
  {
    section,
    rule: 'CreateAccount and CreateOrGetAccount need emailAddress, firstName, lastName and pickUpPointUid.',
    heldBy: [
      `${rulesOf} > CreateAccount, CreateOrGetAccount: emailAddress, firstName, lastName, pickUpPointUid are required`,
    ],
  },
  {
    section,
    rule: 'Both take a mutationConfig, an object or null, with the nine flags and no userUid.',
    heldBy: [
      'test/conformance/inside.test.ts > %s: the fields of the %s in %s',
      'test/service/accounts/mutationConfig.test.ts > flags that come with an account are those that are answered',
      'test/service/accounts/register.test.ts > a mutation configuration binds, also one that comes with an existing account',
    ],
  },
  {
    section,
    rule: 'CreateOrGetAccount tells by isExisting whether the account was there.',
    heldBy: ['test/service/accounts/registrationTable.test.ts > %s of > $email, $userName'],
  },
]
