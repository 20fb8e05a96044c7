import { readFileSync } from 'node:fs'
import { ownEnvironment } from '#platform/environment'
import type { Verb } from '../command/verb.ts'
import { type DevStack, readDevFile } from '../sandbox/devFile.ts'
import { additionsOf, type ProfileVariables, profileFile, readProfile } from './file.ts'

/**
 * The environment of a verb: that of the process, completed by a profile, or without one by the stack of `lockerflow dev` in
 * this folder. The additions become variables of the process, since every part reads its settings there.
 * @param profile of the command line; without it that of LOCKERFLOW_PROFILE or the one in use
 * @param verb one that starts a stack of its own, and leaves out the profile in use, or one that needs no profile
 * @throws CommandFailure if the profile does not exist, or other users can read its file
 */
export function completeEnvironment(
  profile: string | undefined,
  { ownStack = false, noProfile = false }: Pick<Verb, 'ownStack' | 'noProfile'> = {},
  environment = ownEnvironment(),
): NodeJS.ProcessEnv {
  if (noProfile && profile === undefined) return environment
  const named = environment.LOCKERFLOW_PROFILE || undefined
  // The worker of a new stack would poll at the Temporal of the profile, and run its flows against the wrong service.
  if (ownStack && profile === undefined && named === undefined) return environment
  const source = profile === undefined && named !== undefined ? 'LOCKERFLOW_PROFILE' : '--profile'
  const chosen = readProfile(profileFile(environment), profile ?? named, source)
  const stack = ownStack || chosen !== undefined ? undefined : readDevFile()
  const variables = chosen?.variables ?? (stack && variablesOf(stack))
  return variables === undefined ? environment : Object.assign(environment, additionsOf(variables, environment))
}

function variablesOf({
  baseUrl,
  clientId,
  clientSecret,
  temporal,
  uiUrl,
  codec,
  ownFlows,
}: DevStack): ProfileVariables {
  return {
    LOCKERFLOW_BASE_URL: baseUrl,
    LOCKERFLOW_AUTH_URL: baseUrl,
    LOCKERFLOW_CLIENT_ID: clientId,
    LOCKERFLOW_CLIENT_SECRET: clientSecret,
    TEMPORAL_ADDRESS: temporal.address,
    TEMPORAL_NAMESPACE: temporal.namespace,
    ...ownFlows,
    ...(uiUrl !== undefined && { LOCKERFLOW_TEMPORAL_UI_URL: uiUrl }),
    ...(codec !== undefined && {
      LOCKERFLOW_CODEC_KEYS: readFileSync(codec.keysFile, 'utf8'),
      LOCKERFLOW_CODEC: codec.encrypts ? 'on' : 'off',
    }),
  }
}
