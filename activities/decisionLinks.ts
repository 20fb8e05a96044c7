import { type DecisionLink, decisionPath, writeDecisionLink } from '#contract'
import type { FlowNotification } from '#flows'

/** The links in notifications of overdue flows. */
export interface DecisionLinkSettings {
  /** Where people reach the gateway that serves the links. */
  readonly url: string
  /** The key that signs them, which the gateway has too. */
  readonly key: string
  /** Milliseconds from the notification until its links expire. */
  readonly lifetime: number
  /** The length of `extend`, for instance `24h`. */
  readonly extendBy: string
}

/**
 * Adds the links of an overdue flow to its notification. The history has neither the links nor their key. Every attempt to
 * send the notification makes the same links.
 */
export function addLinks(
  { url, key, lifetime, extendBy }: DecisionLinkSettings,
  id: string,
  notification: FlowNotification,
): FlowNotification {
  const { data, timestamp } = notification
  if (data.state !== 'overdue') return notification
  const expires = new Date(Math.floor((Date.parse(timestamp) + lifetime) / 1_000) * 1_000)
  const about = { caseNo: data.caseNo, notification: id, expiresAt: expires.getTime() / 1_000 }
  const base = url.replace(/\/+$/, '') + decisionPath
  const write = (decision: Pick<DecisionLink, 'decision' | 'by'>) =>
    base + writeDecisionLink(key, { ...about, ...decision })
  const links = {
    extend: write({ decision: 'extend', by: extendBy }),
    cancel: write({ decision: 'cancel' }),
    keepWaiting: write({ decision: 'keepWaiting' }),
    expiresAt: expires.toISOString(),
  }
  return { ...notification, data: { ...data, links } }
}
