import type { Credentials, Target } from './dispatcher.ts'

/** The arguments of `npm run test:all -- attack`, and the variables by which they reach the tests. */
export const targetVariables = {
  'base-url': 'LOCKERFLOW_ATTACK_BASE_URL',
  'auth-url': 'LOCKERFLOW_ATTACK_AUTH_URL',
  mode: 'LOCKERFLOW_ATTACK_MODE',
  attacker: 'LOCKERFLOW_ATTACK_ATTACKER',
  victim: 'LOCKERFLOW_ATTACK_VICTIM',
  'hardware-key': 'LOCKERFLOW_ATTACK_HARDWARE_KEY',
} as const

/**
 * The service that the command names, undefined if it names none.
 * @throws Error when an argument is missing or invalid
 */
export function readTarget(environment: NodeJS.ProcessEnv): Target | undefined {
  const value = (name: keyof typeof targetVariables) => environment[targetVariables[name]]
  const baseUrl = value('base-url')
  if (baseUrl === undefined) return undefined
  const mode = value('mode') ?? 'staging'
  if (mode !== 'staging' && mode !== 'production') throw new Error('--mode must be staging or production.')
  return {
    mode,
    baseUrl: readOrigin('base-url', baseUrl),
    authUrl: readOrigin('auth-url', value('auth-url') ?? baseUrl),
    attacker: readCredentials('attacker', value('attacker')),
    victim: readCredentials('victim', value('victim')),
    hardwareKey: value('hardware-key'),
  }
}

function readOrigin(name: string, text: string): string {
  if (!URL.canParse(text)) throw new Error(`--${name} must be an address such as http://127.0.0.1:8080.`)
  return new URL(text).origin
}

function readCredentials(name: string, text = ''): Credentials {
  const [clientId, ...secret] = text.split(':')
  if (!clientId || secret.length === 0) throw new Error(`--${name} must be an API client as id:secret.`)
  return { clientId, clientSecret: secret.join(':') }
}
