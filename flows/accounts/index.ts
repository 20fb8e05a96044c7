import { importAccountSuggestions, onboardAccount } from './stages.ts'

/** Flows that book nothing. */
export const accountFlows = { onboardAccount, importAccountSuggestions } as const
