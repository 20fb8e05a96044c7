import type { ApiSettings } from '#api'
import { readDrivenService } from '#contract/settings'
import { readDevFile } from './devFile.ts'

/**
 * The service that a verb calls: that of the settings or the profile, otherwise that of `lockerflow dev` in this folder, and
 * without one the defaults of a developer's machine.
 * @throws SettingsError
 */
export function readTarget(environment: NodeJS.ProcessEnv): ApiSettings {
  const dev = environment.LOCKERFLOW_BASE_URL ? undefined : readDevFile()
  if (dev === undefined) return readDrivenService(environment).api
  const { baseUrl, clientId, clientSecret } = dev
  const { api } = readDrivenService({
    ...environment,
    LOCKERFLOW_BASE_URL: baseUrl,
    LOCKERFLOW_AUTH_URL: baseUrl,
    LOCKERFLOW_CLIENT_ID: environment.LOCKERFLOW_CLIENT_ID || clientId,
    LOCKERFLOW_CLIENT_SECRET: environment.LOCKERFLOW_CLIENT_SECRET || clientSecret,
  })
  return api
}
