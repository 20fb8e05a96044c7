import type { ApiSettings } from '#contract/client'
import { readDrivenService } from '#platform/settings'
import type { Output } from '../command/output.ts'

/**
 * The service that a verb calls: that of the settings or of `lockerflow dev` in this folder, and without one
 * the defaults of a developer's machine.
 * @throws SettingsError
 */
export function readTarget(environment: NodeJS.ProcessEnv): ApiSettings {
  return readDrivenService(environment).api
}

/** Returns a function that notes why the service of a verb is unavailable, and without a reason that it is back. */
export function noteOutages(output: Pick<Output, 'note'>): (reason: unknown) => void {
  return reason =>
    output.note(
      reason === undefined
        ? 'The service is available again.'
        : `The service is unavailable (${reason}). Trying again.`,
    )
}
