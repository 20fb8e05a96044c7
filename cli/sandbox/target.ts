import type { ApiSettings } from '#api'
import { readDrivenService } from '#contract/settings'

/**
 * The service that a verb calls: that of the settings, of the profile or of `lockerflow dev` in this folder, and without one
 * the defaults of a developer's machine.
 * @throws SettingsError
 */
export function readTarget(environment: NodeJS.ProcessEnv): ApiSettings {
  return readDrivenService(environment).api
}
