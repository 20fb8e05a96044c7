import type { TopologyIssue } from './crossReferences.ts'
import type { Topology } from './shape.ts'

/** Characters and different characters of a secret in production. 24 random bytes have 32 to 48. */
const minLength = 24
const minDifferent = 8

/** Words of placeholders and of the secrets that this project publishes. A random secret contains none of them. */
const placeholders = /password|secret|change|example|placeholder|lockerflow/i

/** Checks the client secrets of a topology for production (D-153). The messages do not quote a secret. */
export function checkSecrets({ tenants }: Topology): readonly TopologyIssue[] {
  return tenants.flatMap(({ clients }, tenant) =>
    clients.flatMap(({ clientSecret, previousClientSecret }, client) => {
      const path = ['tenants', tenant, 'clients', client]
      const secrets = { clientSecret, previousClientSecret }
      return Object.entries(secrets).flatMap(([field, secret]): TopologyIssue[] =>
        secret === undefined || isStrong(secret) ? [] : [{ path: [...path, field], message: weak }],
      )
    }),
  )
}

const weak = `must be random, with at least ${minLength} characters, in production; make one with: openssl rand -hex 24`

function isStrong(secret: string): boolean {
  return secret.length >= minLength && new Set(secret).size >= minDifferent && !placeholders.test(secret)
}
