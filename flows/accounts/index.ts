// Every flow that sets accounts up. Adding one takes its file and a line here.
export { importAccountSuggestions } from './importAccountSuggestions.ts'
export { onboardAccount } from './onboardAccount.ts'
