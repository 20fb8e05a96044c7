import type { Rule } from '../../rule.ts'

const general = 'test/service/accounts/rules.test.ts'

/** Who may see an account, and what it has. */
export const accountFields: readonly Rule[] = [
  {
    section: 'Specification, What the service does',
    rule: 'Accounts are shared by all tenants, and an e-mail address is there once only.',
    heldBy: [
      `${general} > Specification, What the service does > accounts are shared across all tenants, and e-mail addresses are globally unique`,
      'test/service/accounts/register.test.ts > twenty callers register one address at once: one account',
    ],
  },
  {
    section: 'Specification, What the service does',
    rule: 'A tenant looks up and changes only accounts linked to a pick up point that it manages.',
    heldBy: [
      `${general} > Specification, What the service does > a tenant can look up or change only accounts linked to a pick up point it manages`,
      'test/service/tenancy/foreignAccounts.test.ts > a foreign account gets the same response as an unknown one, and does not change',
    ],
  },
  {
    section: 'Specification, What the service does',
    rule: 'GetAccount reveals nothing about other accounts except that an e-mail address is registered.',
    heldBy: [
      `${general} > Specification, What the service does > only the registration of an e-mail address can be probed through GetAccount`,
    ],
  },
  {
    section: 'Account',
    rule: 'userName is the e-mail address when it is not given.',
    heldBy: [`${general} > Account > userName defaults to the e-mail address when not given at creation`],
  },
  {
    section: 'Account',
    rule: 'phoneNumber is international, with + or 00.',
    heldBy: [`${general} > Account > phoneNumber has international format starting with + or 00: $phoneNumber, $error`],
  },
  {
    section: 'Account',
    rule: 'languageCode has two letters, or two and two.',
    heldBy: [`${general} > Account > languageCode has forms like %s`],
  },
  {
    section: 'Account',
    rule: 'countryCode is one of ISO 3166-1 alpha-2.',
    heldBy: [
      'test/contract/countryCode.test.ts > 249 pairs of letters are valid, in any casing',
      'test/contract/countryCode.test.ts > %s is rejected by %s with a message that says what is valid',
      'test/service/accounts/register.test.ts > $ask is InvalidRequest and names the field',
    ],
  },
  {
    section: 'Account',
    rule: 'An account has a main pick up point, by uid and name, and a mail code.',
    heldBy: [
      'test/service/accounts/register.test.ts > a new account is answered as it was given, with a mail code of its own',
    ],
  },
  {
    section: 'Account',
    rule: 'When canManageUser is false, all other fields are null.',
    heldBy: [`${general} > Account > canManageUser false: all other returned fields but the uid are null`],
  },
  {
    section: 'Account mutation configuration',
    rule: 'There are nine permissions, each true, false or null.',
    heldBy: [
      'test/service/accounts/mutationConfig.test.ts > nine flags are returned, null until they are set',
      'test/service/accounts/mutationConfig.test.ts > %s is set, stays when null or absent, and is set back',
    ],
  },
]
