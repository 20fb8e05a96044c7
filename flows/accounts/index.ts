import { importAccountSuggestions } from './importAccountSuggestions.ts'
import { onboardAccount } from './onboardAccount.ts'

/** Flows that book nothing. */
export const accountFlows = { onboardAccount, importAccountSuggestions } as const
