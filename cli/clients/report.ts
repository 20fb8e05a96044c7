import type { Listing, NewSecret } from '#service'

/** Describes tenants, clients and signing keys, one line each. Moments are in UTC. */
export function formatListing({ tenants, clients, keys }: Listing): string[] {
  return [
    ...tenants.flatMap(tenant => [
      `${tenant.tenantId}${tenant.isDisabled ? '  disabled' : ''}`,
      ...clients.filter(({ tenantId }) => tenantId === tenant.tenantId).map(client => `  ${formatClient(client)}`),
    ]),
    '',
    ...keys.map(({ kid, createdAt }) => `signing key ${kid}  since ${toTime(createdAt)}`),
  ]
}

/** Describes a new secret. It is shown once, since the store has its hash only. */
export function formatSecret({ clientId, clientSecret, expiresAt, previousExpiresAt }: NewSecret): string[] {
  return [
    `client id      ${clientId}`,
    `client secret  ${clientSecret}`,
    ...(expiresAt === null ? [] : [`expires        ${toTime(expiresAt)}`]),
    ...(previousExpiresAt === undefined ? [] : [`the previous secret ends at ${toTime(previousExpiresAt)}`]),
    'The secret is not shown again.',
  ]
}

function formatClient({ clientId, isDisabled, secretsFromTopology, secrets }: Listing['clients'][number]): string {
  const ends = secrets.map(({ createdAt, expiresAt }) => {
    const end = expiresAt === null ? '' : ` until ${toTime(expiresAt)}`
    return `secret since ${toTime(createdAt)}${end}`
  })
  const source = secretsFromTopology ? 'from the topology file' : undefined
  return [clientId, ...(isDisabled ? ['disabled'] : []), ...ends, ...(source === undefined ? [] : [source])].join('  ')
}

/** The result of a verb as JSON. The store has its moments in milliseconds, and the other verbs print texts. */
export function toPrinted(result: object): object {
  const toText = (key: string, value: unknown) =>
    key.endsWith('At') && typeof value === 'number' ? toTime(value) : value
  return JSON.parse(JSON.stringify(result, toText))
}

function toTime(moment: number): string {
  return new Date(moment).toISOString()
}
