import type { Rule } from '../rule.ts'
import { accountDecisions } from './decisions/accounts.ts'
import { architectureDecisions } from './decisions/architecture.ts'
import { bookingDecisions } from './decisions/bookings.ts'
import { callbackDecisions } from './decisions/callback.ts'
import { clientDecisions } from './decisions/client.ts'
import { commandDecisions } from './decisions/command.ts'
import { encryptionDecisions } from './decisions/encryption.ts'
import { flowApiDecisions } from './decisions/flowApi.ts'
import { hardwareDecisions } from './decisions/hardware.ts'
import { lockerDecisions } from './decisions/lockers.ts'
import { orchestrationDecisions } from './decisions/orchestration.ts'
import { packageDecisions } from './decisions/packages.ts'
import { productionDecisions } from './decisions/production.ts'
import { protocolDecisions } from './decisions/protocol.ts'
import { recordDecisions } from './decisions/records.ts'
import { secretDecisions } from './decisions/secrets.ts'
import { signInDecisions } from './decisions/signIn.ts'
import { suggestionDecisions } from './decisions/suggestions.ts'
import { telemetryDecisions } from './decisions/telemetry.ts'
import { testingDecisions } from './decisions/testing.ts'

/** The decisions of docs/explanation/decisions: id and title are the section. */
export const decisions: readonly Rule[] = [
  ...protocolDecisions,
  ...callbackDecisions,
  ...bookingDecisions,
  ...lockerDecisions,
  ...accountDecisions,
  ...suggestionDecisions,
  ...orchestrationDecisions,
  ...architectureDecisions,
  ...productionDecisions,
  ...encryptionDecisions,
  ...signInDecisions,
  ...secretDecisions,
  ...recordDecisions,
  ...telemetryDecisions,
  ...hardwareDecisions,
  ...testingDecisions,
  ...packageDecisions,
  ...clientDecisions,
  ...flowApiDecisions,
  ...commandDecisions,
]
