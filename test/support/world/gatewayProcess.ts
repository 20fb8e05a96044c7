import { inject } from 'vitest'
import { type ProcessPart, startProcess, toVariables } from '../../../testing/stack/process.ts'
import { childEnvironment } from '../childEnvironment.ts'
import { apiSettings } from './settings.ts'

export interface GatewayProcessOptions {
  /** Further variables of its environment. */
  readonly variables?: Readonly<Record<string, string>>
  /** Receives the lines of its log. */
  readonly onLine?: (line: string) => void
}

/** Starts a gateway as a separate process, for the Temporal server of the tests. Resolves when it is ready. */
export function startGatewayProcess(
  serviceUrl: string,
  key: string,
  { variables, onLine }: GatewayProcessOptions = {},
): Promise<ProcessPart> {
  const env = {
    ...childEnvironment,
    ...toVariables(apiSettings(serviceUrl), inject('temporal')),
    LOCKERFLOW_HOST: '127.0.0.1',
    LOCKERFLOW_GATEWAY_PORT: '0',
    LOCKERFLOW_CALLBACK_KEY: key,
    ...variables,
  }
  return startProcess('gateway', { env, ...(onLine && { lines: onLine }) })
}
