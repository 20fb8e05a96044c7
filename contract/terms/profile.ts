/**
 * What the driven service can do. It is configured, not guessed; a run records the profile that it started with.
 *
 * - reads: GetShipments is there.
 * - readsByCase: GetShipments filters by referenceCaseNo.
 * - idempotent: create operations honour Idempotency-Key.
 * - standardWebhooks: callbacks carry the Standard Webhooks headers.
 */
export interface ServiceProfile {
  readonly reads: boolean
  readonly readsByCase: boolean
  readonly idempotent: boolean
  readonly standardWebhooks: boolean
}

export const profileWords = {
  reads: 'reads',
  'reads-by-case': 'readsByCase',
  idempotent: 'idempotent',
  'standard-webhooks': 'standardWebhooks',
} as const satisfies Record<string, keyof ServiceProfile>
