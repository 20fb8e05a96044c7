import { importAccountSuggestions } from './importAccountSuggestions.ts'
import { onboardAccount } from './onboardAccount.ts'

/** The flows that book nothing. */
export const plainFlows = { onboardAccount, importAccountSuggestions } as const
