// All verbs of the command `lockerflow`, as data. The program and the reference page import this.

import { auditVerbs } from './audit/verbs.ts'
import { callVerbs } from './call/verbs.ts'
import { callbacksVerbs } from './callbacks/verbs.ts'
import { capabilitiesVerbs } from './capabilities/verbs.ts'
import { clientsVerbs } from './clients/verbs.ts'
import type { GroupSummaries } from './command/program.ts'
import type { Verb } from './command/verb.ts'
import { copyVerbs } from './copy/verbs.ts'
import { doctorVerbs } from './doctor/verbs.ts'
import { flowVerbs } from './flow/verbs.ts'
import { flowsVerbs } from './flows/verbs.ts'
import { initVerbs } from './init/verbs.ts'
import { lockersVerbs } from './lockers/verbs.ts'
import { personVerbs } from './person/verbs.ts'
import { processVerbs } from './processes.ts'
import { promoteVerbs } from './promote/verbs.ts'
import { replayVerbs } from './replay/verbs.ts'
import { sandboxVerbs } from './sandbox/verbs.ts'
import { secretsVerbs } from './secrets/verbs.ts'
import { sweepVerbs } from './sweep/verbs.ts'
import { topologyVerbs } from './topology/verbs.ts'

export const verbs: readonly Verb[] = [
  ...processVerbs,
  ...flowVerbs,
  ...callVerbs,
  ...flowsVerbs,
  ...promoteVerbs,
  ...replayVerbs,
  ...sweepVerbs,
  ...clientsVerbs,
  ...lockersVerbs,
  ...topologyVerbs,
  ...secretsVerbs,
  ...auditVerbs,
  ...personVerbs,
  ...copyVerbs,
  ...doctorVerbs,
  ...capabilitiesVerbs,
  ...callbacksVerbs,
  ...sandboxVerbs,
  ...initVerbs,
]

export const groups: GroupSummaries = {
  callbacks: 'List, forward, resend and check callbacks.',
  requests: 'Show the requests of the tenant.',
  audit: 'The audit log of the service.',
  clock: 'The clock of lockerflow dev.',
  clients: 'API clients of the service and their secrets.',
  flow: 'Start flows, follow them and decide, by case number.',
  flows: 'Flows in files: check, test, simulate, draw.',
}
