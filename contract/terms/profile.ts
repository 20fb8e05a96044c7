/**
 * Capabilities of the service that flows call. They are configured, not detected; a flow's plan records them.
 *
 * - reads: GetShipments is there.
 * - readsByCase: GetShipments filters by referenceCaseNo.
 * - idempotent: create operations honour Idempotency-Key.
 * - standardWebhooks: callbacks have the Standard Webhooks headers.
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

/** The profile of a service with the interface of the specification alone. An empty variable has the default. */
const noCapability = 'none'

/** Parses `none`, or a list such as `reads,reads-by-case`. Returns the first unknown word as a string. */
export function readProfile(text: string): ServiceProfile | string {
  const words = (text.trim() === noCapability ? '' : text)
    .split(',')
    .map(word => word.trim())
    .filter(word => word !== '')
  const unknown = words.find(word => !Object.hasOwn(profileWords, word))
  if (unknown !== undefined) return unknown
  const can = new Set<string>(words.map(word => profileWords[word as keyof typeof profileWords]))
  return {
    // Filtering by case implies reading.
    reads: can.has('reads') || can.has('readsByCase'),
    readsByCase: can.has('readsByCase'),
    idempotent: can.has('idempotent'),
    standardWebhooks: can.has('standardWebhooks'),
  }
}

/** The capabilities of lockerflow's own service. */
export const fullProfile: ServiceProfile = { reads: true, readsByCase: true, idempotent: true, standardWebhooks: true }
