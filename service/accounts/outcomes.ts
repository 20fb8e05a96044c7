import type { ErrorCode } from '#contract/terms'

/** Whom the e-mail address of a request belongs to. */
export type EmailState = 'free' | 'taken' | 'foreign'
/** Whom its user name belongs to; `same`: the account of the e-mail address, or none was given for an existing one. */
export type UserNameState = 'free' | 'same' | 'other' | 'foreign'

/**
 * - created: a new account
 * - found: the account of the e-mail address
 * - renamed: the account of the user name, with the e-mail address of the request
 * - hidden: the account of the e-mail address, which somebody else manages
 */
export type Outcome = 'created' | 'found' | 'renamed' | 'hidden' | Extract<ErrorCode, Refused>
type Refused = 'EmailAlreadyRegistered' | 'UserNameAlreadyRegistered' | 'AccessDenied'

export interface Outcomes {
  readonly createAccount: Outcome
  readonly createOrGetAccount: Outcome
}

const free = { createAccount: 'created', createOrGetAccount: 'created' } as const
const named = { createAccount: 'UserNameAlreadyRegistered', createOrGetAccount: 'renamed' } as const
const existing = { createAccount: 'EmailAlreadyRegistered', createOrGetAccount: 'found' } as const
const hidden = { createAccount: 'AccessDenied', createOrGetAccount: 'hidden' } as const
const denied = { createAccount: 'AccessDenied', createOrGetAccount: 'AccessDenied' } as const
const clash = { createAccount: 'EmailAlreadyRegistered', createOrGetAccount: 'EmailAlreadyRegistered' } as const

/** What becomes of a request by what is already there (docs/decisions.md, Accounts). */
export const outcomes: Readonly<Record<EmailState, Readonly<Record<UserNameState, Outcomes>>>> = {
  free: { free, same: free, other: named, foreign: denied },
  taken: { free: clash, same: existing, other: clash, foreign: clash },
  foreign: { free: clash, same: hidden, other: clash, foreign: clash },
}
