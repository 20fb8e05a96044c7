// The workflows. This is the entry of the bundle that workers run: a flow that books is interpreted, by its workflow
// type; those that book nothing are workflows of their own. Nobody imports it but by path; messages.ts and flows/ are the doors.
import { interpret } from './interpreter.ts'
import { notice } from './notice.ts'
import { importAccountSuggestions } from './plain/importAccountSuggestions.ts'
import { onboardAccount } from './plain/onboardAccount.ts'
import { sweep } from './sweep.ts'
import { versionByLifetime } from './versioning.ts'

// The SDK takes the stack of every promise: for the Web UI, where those of a waiting flow have no more lines than this.
Object.assign(Error, { stackTraceLimit: 5 })

for (const workflow of [interpret, importAccountSuggestions, onboardAccount, notice, sweep]) versionByLifetime(workflow)

export { importAccountSuggestions, interpret as default, notice, onboardAccount, sweep }
