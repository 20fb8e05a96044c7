// All verbs of the command `lockerflow`, as data. The program, the completion and the reference page import this.
import type { GroupSummaries } from '../command/program.ts'
import type { Verb } from '../command/verb.ts'
import { callVerbs } from './call.ts'
import { callbacksVerbs } from './callbacks.ts'
import { flowVerbs } from './flow.ts'
import { flowsVerbs } from './flows.ts'
import { initVerbs } from './init.ts'
import { completeVerb, machineVerbs } from './machine.ts'
import { processVerbs } from './processes.ts'
import { sandboxVerbs } from './sandbox.ts'
import { storeVerbs } from './store.ts'

export const verbs: readonly Verb[] = [
  ...processVerbs,
  ...flowVerbs,
  ...callVerbs,
  ...flowsVerbs,
  ...storeVerbs,
  ...machineVerbs,
  ...callbacksVerbs,
  ...sandboxVerbs,
  ...initVerbs,
  completeVerb(() => verbs),
]

export const groups: GroupSummaries = {
  callbacks: 'List, forward, resend and check callbacks.',
  requests: 'Show the requests of the tenant.',
  audit: 'The audit log of the service.',
  clock: 'The clock of lockerflow dev.',
  clients: 'API clients of the service and their secrets.',
  flow: 'Start flows, follow them and decide, by case number.',
  flows: 'Flows in files: check, test, simulate, draw.',
  lockers: 'Lockers and pick up points in and out of service.',
  profiles: 'Addresses and credentials of several services.',
  person: 'The data of a person.',
  secrets: 'The keys that encrypt secrets in the store.',
  topology: 'Pick up points and lockers in a file.',
}
