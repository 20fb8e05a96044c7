import { badUrls } from '../rules/platform.ts'
import type { Asks } from './ask.ts'
import { aPoint, mostly } from './picks.ts'

export const platform: Asks<'GetPickUpPoints' | 'ConfigureCallback' | 'SetSandboxFaults'> = {
  GetPickUpPoints: view => ({
    ...{ includeDetails: mostly(view, true), pupUid: view.dice.oneOf([undefined, '', null, aPoint(view)]) },
    ...(view.dice.oneIn(4) && { searchText: view.dice.oneOf(['HALL', 'Station Square', ' hall ', 'nothing']) }),
  }),
  ConfigureCallback(view) {
    const { dice, tenant } = view
    const receiver = `receiver of ${tenant}`
    // Mostly the receiver, because without callbacks there would be nothing to compare.
    const url = dice.oneOf([receiver, receiver, receiver, receiver, null, ...badUrls])
    const authType = dice.oneOf(['HMAC', 'None', 'ApiKey'] as const)
    return { url, authType, ...(authType !== 'None' && dice.oneIn(4) && { resetKey: true }) }
  },
  SetSandboxFaults: ({ dice }) => ({
    mutationConfigFails: dice.oneOf([true, true, false, null, undefined]),
    hardwareFails: dice.oneOf([false, undefined, true, null, false]),
  }),
}
