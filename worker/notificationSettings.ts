import { z } from 'zod'
import type { NotificationSettings } from '#activities'
import { parseDuration } from '#contract/terms'
import { notificationTypes } from '#flows'
import { validateUrlSyntax } from '#platform/addresses'
import {
  decisionKeyVariable,
  httpUrl,
  isGiven,
  isProduction,
  type Problem,
  passwordOf,
  plainHttpProblem,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  signatureKey,
  type Values,
  type Variable,
} from '#platform/settings'

/** The receiver of the flows' notifications. */
export const notificationVariables = {
  LOCKERFLOW_NOTIFICATIONS_URL: {
    description: `Address to which flows send notifications: ${notificationTypes.map(type => `\`${type}\``).join(', ')}. Without it, flows send no notifications. Must be https and a public host; staging allows others.`,
    example: 'https://planning.example/notifications',
    schema: z.string().max(2_000, 'must be at most 2000 characters').optional(),
    secret: passwordOf,
  },
  LOCKERFLOW_NOTIFICATIONS_KEY: {
    description: 'Key that signs notifications. Required with their address.',
    example: 'choose-32-random-characters-here',
    schema: signatureKey.optional(),
    secret: true,
  },
  LOCKERFLOW_NOTIFICATIONS_KEY_PREVIOUS: {
    description: 'The previous key, which signs too while the receiver changes to the new one.',
    example: 'the-32-characters-of-the-old-key',
    schema: signatureKey.optional(),
    secret: true,
  },
  ...decisionKeyVariable,
  LOCKERFLOW_DECISION_LINKS_URL: {
    description:
      'Address at which people reach the flow API of the gateway, without the path of the links. With it, notifications of overdue flows carry links. In production http is allowed for private hosts only.',
    example: 'https://decide.example',
    schema: httpUrl
      // The path of a link follows the address.
      .regex(/^[^?#]*(?<!\/decisions\/*)$/, 'must be an address without the path of the links, a query and a fragment')
      .optional(),
    production: { problem: plainHttpProblem },
  },
  LOCKERFLOW_DECISION_LINKS_LIFETIME: {
    description: 'Time from a notification until its links expire.',
    example: '3d',
    schema: durationText('3d'),
  },
  LOCKERFLOW_DECISION_LINKS_EXTEND_BY: {
    description: 'Time by which the link `extend` extends the window.',
    example: '24h',
    schema: durationText('24h'),
  },
} as const satisfies Record<string, Variable>

function durationText(usual: string) {
  return z
    .string()
    .refine(text => parseDuration(text) !== undefined, 'must be a duration such as 30s, 30m, 48h or 3d')
    .default(usual)
}

/**
 * Reads address and key, or neither: a receiver cannot trust unsigned notifications.
 * @throws SettingsError with every problem
 */
export function readNotificationSettings(source: Source): { notifications?: NotificationSettings } {
  const { values } = readTogether({
    values: () => readVariables(source, notificationVariables),
    parts: () => requireParts(source),
    address: () => checkAddress(source),
  })
  const { LOCKERFLOW_NOTIFICATIONS_URL: url, LOCKERFLOW_NOTIFICATIONS_KEY: key } = values
  if (url === undefined || key === undefined) return {}
  const previousKey = values.LOCKERFLOW_NOTIFICATIONS_KEY_PREVIOUS
  const links = toLinks(values)
  return { notifications: { url, key, ...(previousKey !== undefined && { previousKey }), ...(links && { links }) } }
}

type Name = keyof typeof notificationVariables

/**
 * The settings that each setting requires. The key of links requires none, since a gateway with the same
 * environment may need it.
 */
const needs: readonly (readonly [Name, readonly Name[]])[] = [
  ['LOCKERFLOW_NOTIFICATIONS_URL', ['LOCKERFLOW_NOTIFICATIONS_KEY']],
  ['LOCKERFLOW_NOTIFICATIONS_KEY', ['LOCKERFLOW_NOTIFICATIONS_URL']],
  ['LOCKERFLOW_NOTIFICATIONS_KEY_PREVIOUS', ['LOCKERFLOW_NOTIFICATIONS_KEY']],
  [
    'LOCKERFLOW_DECISION_LINKS_URL',
    ['LOCKERFLOW_NOTIFICATIONS_URL', 'LOCKERFLOW_NOTIFICATIONS_KEY', 'LOCKERFLOW_DECISION_LINKS_KEY'],
  ],
]

function requireParts(source: Source): void {
  const missing = new Map<Name, Problem>()
  for (const [present, parts] of needs.filter(([name]) => isGiven(source, name))) {
    for (const name of parts.filter(part => !isGiven(source, part) && !missing.has(part)))
      missing.set(name, toProblem(name, `is missing although ${present} is set. Set both`))
  }
  if (missing.size > 0) throw new SettingsError(...missing.values())
}

/** Checks the syntax only: an unresolvable receiver must not stop the flows. */
function checkAddress(source: Source): void {
  const { LOCKERFLOW_NOTIFICATIONS_URL } = notificationVariables
  const { LOCKERFLOW_NOTIFICATIONS_URL: url } = readVariables(source, { LOCKERFLOW_NOTIFICATIONS_URL })
  const fault = url === undefined ? undefined : validateUrlSyntax(url, !isProduction(source))
  if (fault === undefined) return
  throw new SettingsError(toProblem('LOCKERFLOW_NOTIFICATIONS_URL', fault.replace(/^url /, '')))
}

function toLinks(values: Values<typeof notificationVariables>): NotificationSettings['links'] {
  const { LOCKERFLOW_DECISION_LINKS_URL: url, LOCKERFLOW_DECISION_LINKS_KEY: key } = values
  if (url === undefined || key === undefined) return undefined
  const { LOCKERFLOW_DECISION_LINKS_LIFETIME: lifetime, LOCKERFLOW_DECISION_LINKS_EXTEND_BY: extendBy } = values
  return { url, key, lifetime: parseDuration(lifetime) ?? 0, extendBy }
}

function toProblem(name: Name, wrong: string): Problem {
  return { name, wrong, example: notificationVariables[name].example }
}
