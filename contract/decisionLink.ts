import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** The decisions of a link. */
export const linkedDecisions = ['extend', 'cancel', 'keepWaiting'] as const

/** The content of a link: a decision about one notification. */
export interface DecisionLink {
  readonly caseNo: string
  /** The `webhook-id` of the notification, which no other one has: not of another overdue, case or run. */
  readonly notification: string
  readonly decision: (typeof linkedDecisions)[number]
  /** The length of `extend`. */
  readonly by?: string
  /** Seconds since 1970. */
  readonly expiresAt: number
}

export interface ReadDecisionLink extends DecisionLink {
  /** Names the link in logs and in the history. It does not reveal the link. */
  readonly id: string
}

/** The path of a link at its listener, before its token. */
export const decisionPath = '/decisions/'

/** Characters. Longer tokens are not read. */
const maxLength = 1_000

/** The key is derived, so that no signature that the same key makes for another purpose is a link. */
function sign(key: string, content: string): string {
  const derived = new Uint8Array(hkdfSync('sha256', key, '', 'lockerflow decision link 1', 32))
  return createHmac('sha256', derived).update(content).digest('base64url')
}

/** Writes a link as a token: its content in base64url, and its signature. The same link gives the same token. */
export function writeDecisionLink(key: string, link: DecisionLink): string {
  const { caseNo, notification, decision, by, expiresAt } = link
  const content = Buffer.from(JSON.stringify([caseNo, notification, decision, expiresAt, by])).toString('base64url')
  return `${content}.${sign(key, content)}`
}

/**
 * Reads a token.
 * @param keys that may have signed it, the newest first
 * @param now seconds since 1970
 */
export function readDecisionLink(
  keys: readonly string[],
  token: string,
  now: number,
): ReadDecisionLink | 'invalid' | 'expired' {
  const [content = '', signature = '', ...rest] = token.length > maxLength ? [] : token.split('.')
  const given = Buffer.from(signature)
  const isSigned = keys.some(key => {
    const expected = Buffer.from(sign(key, content))
    return expected.length === given.length && timingSafeEqual(expected, given)
  })
  if (!isSigned || rest.length > 0) return 'invalid'
  const [caseNo, notification, decision, expiresAt, by] = JSON.parse(Buffer.from(content, 'base64url').toString())
  // A newer worker than this gateway may know other decisions.
  if (!linkedDecisions.includes(decision)) return 'invalid'
  if (expiresAt <= now) return 'expired'
  const id = createHash('sha256').update(content).digest('base64url').slice(0, 22)
  return { id, caseNo, notification, decision, expiresAt, ...(typeof by === 'string' && { by }) }
}
