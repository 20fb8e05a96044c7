import { z } from 'zod'
import { operation } from '../../operation.ts'

/** Null and absent leave a fault unchanged. */
const optionalFlag = z.boolean().nullish()

export const SetSandboxFaults = operation({
  name: 'SetSandboxFaults',
  path: '/v1/Platform/SetSandboxFaults',
  summary: 'Switches sandbox faults of your tenant on and off, and returns those in force.',
  effect: 'change',
  request: z.object({ mutationConfigFails: optionalFlag, hardwareFails: optionalFlag }),
  response: z.object({
    /** Registrations with a mutation configuration fail with MutationConfigFailed. */
    mutationConfigFails: z.boolean(),
    /** UnlockShipmentLocker fails with UnlockFailed. */
    hardwareFails: z.boolean(),
  }),
  errors: [],
  stagingOnly: true,
})
