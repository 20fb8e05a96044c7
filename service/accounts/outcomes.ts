import type { ErrorCode } from '#contract/terms'

/** The owner of the requested e-mail address: no account, an account of the caller, or a foreign one. */
export type EmailState = 'free' | 'taken' | 'foreign'
/** The owner of the requested user name. `same`: the account of the e-mail address, or no user name was requested. */
export type UserNameState = 'free' | 'same' | 'other' | 'foreign'

/**
 * - created: a new account
 * - found: the account of the e-mail address
 * - renamed: the account of the user name, with the e-mail address of the request
 * - hidden: the account of the e-mail address, managed by another tenant
 */
export type RegistrationOutcome = 'created' | 'found' | 'renamed' | 'hidden' | Extract<ErrorCode, RegistrationRefusal>
type RegistrationRefusal = 'EmailAlreadyRegistered' | 'UserNameAlreadyRegistered' | 'AccessDenied'

export interface RegistrationOutcomes {
  readonly createAccount: RegistrationOutcome
  readonly createOrGetAccount: RegistrationOutcome
}

const free = { createAccount: 'created', createOrGetAccount: 'created' } as const
const nameTaken = { createAccount: 'UserNameAlreadyRegistered', createOrGetAccount: 'renamed' } as const
const existing = { createAccount: 'EmailAlreadyRegistered', createOrGetAccount: 'found' } as const
const hidden = { createAccount: 'AccessDenied', createOrGetAccount: 'hidden' } as const
const denied = { createAccount: 'AccessDenied', createOrGetAccount: 'AccessDenied' } as const
const emailTaken = { createAccount: 'EmailAlreadyRegistered', createOrGetAccount: 'EmailAlreadyRegistered' } as const

/** The outcome of a registration by the owners of its keys. */
export const registrationOutcomes: Readonly<Record<EmailState, Readonly<Record<UserNameState, RegistrationOutcomes>>>> =
  {
    free: { free, same: free, other: nameTaken, foreign: denied },
    taken: { free: emailTaken, same: existing, other: emailTaken, foreign: emailTaken },
    foreign: { free: emailTaken, same: hidden, other: emailTaken, foreign: emailTaken },
  }
