import { isWeakSecret, mustBeStrong } from '#contract/settings'
import type { TopologyIssue } from './crossReferences.ts'
import type { Topology } from './shape.ts'

/** Checks the client secrets of a topology for production (D-153). The messages do not quote a secret. */
export function checkSecrets({ tenants }: Topology): readonly TopologyIssue[] {
  return tenants.flatMap(({ clients }, tenant) =>
    clients.flatMap(({ clientSecret, previousClientSecret }, client) => {
      const path = ['tenants', tenant, 'clients', client]
      const secrets = { clientSecret, previousClientSecret }
      return Object.entries(secrets).flatMap(([field, secret]): TopologyIssue[] =>
        secret === undefined || !isWeakSecret(secret) ? [] : [{ path: [...path, field], message: mustBeStrong }],
      )
    }),
  )
}
