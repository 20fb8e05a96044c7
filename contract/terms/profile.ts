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

/** The profile that a list of words such as `reads,reads-by-case` means; a string names the word that is none. */
export function readProfile(text: string): ServiceProfile | string {
  const words = text
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')
  const unknown = words.find(word => !Object.hasOwn(profileWords, word))
  if (unknown !== undefined) return unknown
  const can = new Set<string>(words.map(word => profileWords[word as keyof typeof profileWords]))
  return {
    // A service that filters by case can be asked.
    reads: can.has('reads') || can.has('readsByCase'),
    readsByCase: can.has('readsByCase'),
    idempotent: can.has('idempotent'),
    standardWebhooks: can.has('standardWebhooks'),
  }
}

/** What our own service can do. */
export const fullProfile: ServiceProfile = { reads: true, readsByCase: true, idempotent: true, standardWebhooks: true }
