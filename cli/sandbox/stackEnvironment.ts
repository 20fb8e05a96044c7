import { readFileSync } from 'node:fs'
import { ownEnvironment, ownFlowNames } from '#platform/environment'
import type { Verb } from '../command/verb.ts'
import { type DevStack, readDevFile } from './devFile.ts'

type Variables = Readonly<Record<string, string>>

/** Variables that belong together: credentials and keys go only to the addresses of the same stack. */
const unions = [
  {
    addresses: ['LOCKERFLOW_BASE_URL', 'LOCKERFLOW_AUTH_URL'],
    credentials: ['LOCKERFLOW_CLIENT_ID', 'LOCKERFLOW_CLIENT_SECRET'],
  },
  { addresses: ['TEMPORAL_ADDRESS'], credentials: ['LOCKERFLOW_CODEC_KEYS', 'LOCKERFLOW_CODEC', ...ownFlowNames] },
  // Flows name their activities and calendars.
  { addresses: ['LOCKERFLOW_FLOWS'], credentials: ['LOCKERFLOW_ACTIVITIES', 'LOCKERFLOW_CALENDARS'] },
  // LOCKERFLOW_CODEC switches these keys on or off, and no other ones.
  { addresses: ['LOCKERFLOW_CODEC_KEYS'], credentials: ['LOCKERFLOW_CODEC'] },
] as const

/**
 * The environment of a verb: that of the process, completed by the stack of `lockerflow dev` in this folder. The additions
 * become variables of the process, since every part reads its settings there.
 * @param verb one that starts a stack of its own leaves out that of the folder
 */
export function completeEnvironment(
  { ownStack = false }: Pick<Verb, 'ownStack'> = {},
  environment = ownEnvironment(),
): NodeJS.ProcessEnv {
  const stack = ownStack ? undefined : readDevFile()
  return stack === undefined ? environment : Object.assign(environment, additionsOf(variablesOf(stack), environment))
}

function variablesOf({ baseUrl, clientId, clientSecret, temporal, uiUrl, codec, ownFlows }: DevStack): Variables {
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

/** The variables of a stack that an environment lacks. The environment takes precedence. */
export function additionsOf(variables: Variables, source: NodeJS.ProcessEnv): Variables {
  const withheld: readonly string[] = unions.flatMap(({ addresses, credentials }) =>
    addresses.some(name => isOther(name, variables, source)) ? credentials : [],
  )
  const names = Object.keys(variables).filter(
    name => !withheld.includes(name) && !source[name] && !source[`${name}_FILE`],
  )
  return Object.fromEntries(names.map(name => [name, variables[name] ?? '']))
}

/** True for a variable that the environment sets to another value, or by a file. */
function isOther(name: string, variables: Variables, source: NodeJS.ProcessEnv): boolean {
  return Boolean(source[`${name}_FILE`] || (source[name] && source[name] !== variables[name]))
}
