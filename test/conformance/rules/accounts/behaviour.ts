import type { Rule } from '../../rule.ts'

const rulesOf = 'test/service/accounts/managementRules.test.ts'

/** Account management: behaviour, and the errors of accounts. */
export const accountBehaviour: readonly Rule[] = [
  {
    section: 'Behaviour 1',
    rule: 'CreateAccount creates an account if none has that user name or e-mail address.',
    heldBy: [`${rulesOf} > 1. CreateAccount creates an account when none exists by username and/or e-mail`],
  },
  {
    section: 'Behaviour 1',
    rule: 'CreateAccount fails when there is one of that user name.',
    heldBy: [`${rulesOf} > 1. CreateAccount fails when the account exists by the specified username`],
  },
  {
    section: 'Behaviour 2',
    rule: 'CreateOrGetAccount returns the account of that e-mail address and, if given, user name.',
    heldBy: [`${rulesOf} > 2. CreateOrGetAccount returns an existing account by e-mail and optional username`],
  },
  {
    section: 'Behaviour 2',
    rule: 'CreateOrGetAccount creates the account if it does not exist.',
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
    rule: 'If the caller cannot manage the account, only its userUid is returned and all other fields are null.',
    heldBy: [
      `${rulesOf} > 3. an account that the caller cannot manage is answered with its uid, the other fields null`,
    ],
  },
  {
    section: 'Behaviour 4',
    rule: 'An account that is made while its configuration cannot be applied is MutationConfigFailed.',
    heldBy: [
      `${rulesOf} > 4. an account is created, its mutation configuration cannot be applied: MutationConfigFailed`,
      'test/service/accounts/mutationConfigFailed.test.ts > when $what > %s leaves the account and returns its fields with the refusal',
    ],
  },
  {
    section: 'Errors',
    rule: 'EmailAlreadyRegistered also means that the e-mail address of the given user name may not become the given one.',
    heldBy: [`${rulesOf} > EmailAlreadyRegistered also when the e-mail of the given username cannot be changed`],
  },
  {
    section: 'Errors',
    rule: 'AccessDenied: another tenant manages the account, and GetAccount returns its uid.',
    heldBy: [
      'test/service/accounts/registrationTable.test.ts > %s of > $email, $userName',
      'test/service/operations/account/getAccount.test.ts > GetAccount by > $what finds $finds',
    ],
  },
  {
    section: 'Errors',
    rule: 'InvalidPupUid: the pick up point is not valid, absent or not there.',
    heldBy: ['test/service/accounts/register.test.ts > a pick up point that is $what: InvalidPupUid'],
  },
]
