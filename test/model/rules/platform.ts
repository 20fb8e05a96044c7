import { newName } from '../model/model.ts'
import { refuse } from '../model/refusal.ts'
import { tenantNamed } from '../model/who.ts'
import type { Rules } from './rule.ts'

/** URLs that the service refuses for callbacks. */
export const badUrls = ['nonsense', 'ftp://host.example/', 'http://169.254.169.254/latest/meta-data'] as const

export const platform: Rules<'ConfigureCallback' | 'SetSandboxFaults'> = {
  ConfigureCallback(model, { url, authType, resetKey, authKey }, { tenant }) {
    if (badUrls.some(bad => bad === url)) refuse('InvalidCallbackUrl')
    const { callback } = tenantNamed(model, tenant)
    const isOtherType = authType !== callback.authType
    const isNewKey = authKey != null || resetKey === true || (isOtherType && authType !== 'None')
    const changed = isNewKey || isOtherType || url !== callback.url
    const key = isNewKey ? (authKey ?? newName(model, 'key')) : null
    Object.assign(callback, { url, authType, key: key ?? callback.key })
    return { authKey: key, changed }
  },

  SetSandboxFaults(model, { mutationConfigFails, hardwareFails }, { tenant }) {
    const { faults } = tenantNamed(model, tenant)
    faults.mutationConfigFails = mutationConfigFails ?? faults.mutationConfigFails
    faults.hardwareFails = hardwareFails ?? faults.hardwareFails
    return { ...faults }
  },
}
