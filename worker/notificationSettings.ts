import { z } from 'zod'
import type { NotificationSettings } from '#activities'
import { validateUrlSyntax } from '#addresses'
import {
  isProduction,
  readVariables,
  SettingsError,
  type Source,
  signatureKey,
  type Variable,
} from '#contract/settings'

/** The receiver of the flows' notifications. */
export const notificationVariables = {
  LOCKERFLOW_NOTIFICATIONS_URL: {
    description:
      'Address to which flows send notifications: stage reached, overdue, ended. Without it they send none. Must be https and a public host; staging allows others.',
    example: 'https://planning.example/notifications',
    schema: z.string().max(2_000, 'must be at most 2000 characters').optional(),
    secret: true,
  },
  LOCKERFLOW_NOTIFICATIONS_KEY: {
    description: 'Key of the signature of notifications. Required with their address.',
    example: 'choose-32-random-characters-here',
    schema: signatureKey.optional(),
    secret: true,
  },
  LOCKERFLOW_NOTIFICATIONS_KEY_PREVIOUS: {
    description: 'The key before it, which signs too while the receiver changes to the new one.',
    example: 'the-32-characters-of-the-old-key',
    schema: signatureKey.optional(),
    secret: true,
  },
} as const satisfies Record<string, Variable>

/**
 * Reads address and key, or neither: a receiver cannot trust unsigned notifications.
 * @throws SettingsError
 */
export function readNotificationSettings(source: Source): { notifications?: NotificationSettings } {
  const values = readVariables(source, notificationVariables)
  const { LOCKERFLOW_NOTIFICATIONS_URL: url, LOCKERFLOW_NOTIFICATIONS_KEY: key } = values
  const previousKey = values.LOCKERFLOW_NOTIFICATIONS_KEY_PREVIOUS
  if (url === undefined && key === undefined) return {}
  if (url === undefined) throw missingPart('LOCKERFLOW_NOTIFICATIONS_URL', 'LOCKERFLOW_NOTIFICATIONS_KEY')
  if (key === undefined) throw missingPart('LOCKERFLOW_NOTIFICATIONS_KEY', 'LOCKERFLOW_NOTIFICATIONS_URL')
  // Checks the syntax only: an unresolvable receiver must not stop the flows.
  const fault = validateUrlSyntax(url, !isProduction(source))
  if (fault === undefined) return { notifications: { url, key, ...(previousKey !== undefined && { previousKey }) } }
  throw toError('LOCKERFLOW_NOTIFICATIONS_URL', fault.replace(/^url /, ''))
}

function missingPart(missing: keyof typeof notificationVariables, present: string): SettingsError {
  return toError(missing, `is missing although ${present} is set. Notifications need both`)
}

function toError(name: keyof typeof notificationVariables, wrong: string): SettingsError {
  return new SettingsError({ name, wrong, example: notificationVariables[name].example })
}
