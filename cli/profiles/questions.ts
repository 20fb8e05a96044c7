import { stderr, stdin } from 'node:process'
import { text as readAll } from 'node:stream/consumers'
import { isCancel, password, text } from '@clack/prompts'
import { failed, misuse } from '../command/failure.ts'

/** A value of a profile, its option and its question. */
export interface Question {
  readonly variable: string
  /** The option in camel case. */
  readonly option: string
  readonly message: string
  readonly unset: string
}

/** The questions of `login`. Each has an option, so that scripts need no terminal. */
export const questions: readonly Question[] = [
  {
    variable: 'LOCKERFLOW_BASE_URL',
    option: 'baseUrl',
    message: 'Address of the service',
    unset: 'http://127.0.0.1:8080',
  },
  { variable: 'LOCKERFLOW_AUTH_URL', option: 'authUrl', message: 'Address of the sign-in', unset: '' },
  { variable: 'LOCKERFLOW_CLIENT_ID', option: 'clientId', message: 'Client id', unset: 'acme' },
  { variable: 'TEMPORAL_ADDRESS', option: 'temporalAddress', message: 'Address of Temporal', unset: '127.0.0.1:7233' },
  { variable: 'TEMPORAL_NAMESPACE', option: 'temporalNamespace', message: 'Namespace of Temporal', unset: 'default' },
]

/** Asks on a terminal; without one, the default stands. */
export async function ask({ message, unset }: Question): Promise<string> {
  if (!stdin.isTTY) return unset
  const answer = await text({ message, defaultValue: unset, placeholder: unset, output: stderr })
  return isCancel(answer) ? cancelled() : answer
}

/**
 * Reads a secret: hidden on a terminal, otherwise all of standard input.
 * @throws CommandFailure without a secret
 */
export async function askSecret(message: string): Promise<string> {
  const answer = stdin.isTTY ? await password({ message, output: stderr }) : (await readAll(stdin)).trim()
  if (isCancel(answer)) return cancelled()
  if (answer === '') throw misuse('standard input: must be the client secret.')
  return answer
}

function cancelled(): never {
  throw failed('nothing is stored.')
}
