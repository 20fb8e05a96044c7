import { z } from 'zod'
import { operation } from '../../operation.ts'

/** Null and absent leave a fault as it is. */
const wish = z.boolean().nullish()

export const SetSandboxFaults = operation({
  name: 'SetSandboxFaults',
  path: '/v1/Platform/SetSandboxFaults',
  summary: 'Makes the sandbox fail on purpose, for you alone, and answers the faults in force.',
  section: 'Decisions: Accounts, Sandbox faults',
  effect: 'change',
  request: z.object({ mutationConfigFails: wish, hardwareFails: wish }),
  response: z.object({
    /** A mutation configuration that comes with an account cannot be applied: MutationConfigFailed. */
    mutationConfigFails: z.boolean(),
    /** No locker opens for UnlockShipmentLocker: UnlockFailed. */
    hardwareFails: z.boolean(),
  }),
  errors: [],
  stagingOnly: true,
})
