import { ownEnvironment } from '../environment.ts'
import { additionsOf, profileFile, readProfile } from './file.ts'

/**
 * The environment of a verb: that of the process, completed by a profile. The variables of the profile become variables of
 * the process, since every part reads its settings there.
 * @param profile of the command line; without it that of LOCKERFLOW_PROFILE or the one in use
 * @throws CommandFailure if the profile does not exist, or other users can read its file
 */
export function completeEnvironment(profile: string | undefined): NodeJS.ProcessEnv {
  const environment = ownEnvironment()
  const chosen = readProfile(profileFile(environment), profile ?? (environment.LOCKERFLOW_PROFILE || undefined))
  if (chosen !== undefined) Object.assign(environment, additionsOf(chosen.variables, environment))
  return environment
}
