import type { Rule } from '../../rule.ts'

const rulesOf = 'test/service/accountManagementRules.test.ts'

/** Account management: behaviour, and the errors of accounts. */
export const accountBehaviour: readonly Rule[] = [
  {
    section: 'Behaviour 1',
    rule: 'CreateAccount makes an account when there is none of that user name or e-mail address.',
    heldBy: [`${rulesOf} > 1. CreateAccount creates an account when none exists by username and/or e-mail`],
  },
  {
    section: 'Behaviour 1',
    rule: 'CreateAccount fails when there is one of that user name.',
    heldBy: [`${rulesOf} > 1. CreateAccount fails when the account exists by the specified username`],
  },
  {
    section: 'Behaviour 2',
    rule: 'CreateOrGetAccount answers the account of that e-mail address and, if given, user name.',
    heldBy: [`${rulesOf} > 2. CreateOrGetAccount returns an existing account by e-mail and optional username`],
  },
  {
    section: 'Behaviour 2',
    rule: 'CreateOrGetAccount makes one when there is none.',
    heldBy: [`${rulesOf} > 2. CreateOrGetAccount creates one when none exists`],
  },
  {
    section: 'Behaviour 2',
    rule: 'The account of the given user name gets the given e-mail address.',
    heldBy: [
      `${rulesOf} > 2. the account of the specified username has its e-mail address updated to the specified one`,
    ],
  },
  {
    section: 'Behaviour 3',
    rule: 'Of an account that the caller cannot manage the userUid is answered, all other fields are null.',
    heldBy: [
      `${rulesOf} > 3. an account that the caller cannot manage is answered with its uid, the other fields null`,
    ],
  },
  {
    section: 'Behaviour 4',
    rule: 'An account that is made while its configuration cannot be applied is MutationConfigFailed.',
    heldBy: [
      `${rulesOf} > 4. an account is created, its mutation configuration cannot be applied: MutationConfigFailed`,
      'test/service/mutationConfigFailed.test.ts > when $what > %s leaves the account and answers its fields beside the refusal',
    ],
  },
  {
    section: 'Errors',
    rule: 'EmailAlreadyRegistered also means that the e-mail address of the given user name may not become the given one.',
    heldBy: [`${rulesOf} > EmailAlreadyRegistered also when the e-mail of the given username cannot be changed`],
  },
  {
    section: 'Errors',
    rule: 'AccessDenied: the account is managed by somebody else, and GetAccount answers its uid.',
    heldBy: [
      'test/service/accountTable.test.ts > %s of > $email, $userName',
      'test/service/getAccount.test.ts > GetAccount by > $what finds $finds',
    ],
  },
  {
    section: 'Errors',
    rule: 'InvalidPupUid: the pick up point is not valid, absent or not there.',
    heldBy: ['test/service/accounts.test.ts > a pick up point that is $what: InvalidPupUid'],
  },
]
