import { assertValidUrl, registerCallback } from '../../outbox/index.ts'
import type { SteppedHandler } from '../handler.ts'

/** An address that is in force already was checked when it was registered. */
export const ConfigureCallback: SteppedHandler<'ConfigureCallback'> = {
  async steps({ tenantId, transaction, allowPrivateNetworks }, request) {
    const { url } = request
    const { callback_url: current } = await transaction(({ tenant }) => tenant())
    if (url !== null && url !== current) await assertValidUrl(url, tenantId, allowPrivateNetworks)
    return transaction(call => registerCallback(call, request))
  },
}
