import type { ChildProcess } from 'node:child_process'
import { inject } from 'vitest'
import { type GatewayChildSettings, startGatewayChild } from './gatewayChild.ts'
import { apiSettings } from './settings.ts'

export type GatewayProcessOptions = Pick<GatewayChildSettings, 'variables' | 'onLine'>

/** Starts a gateway as a separate process, for the Temporal server of the tests. Resolves when it is ready. */
export async function startGatewayProcess(
  serviceUrl: string,
  key: string,
  options: GatewayProcessOptions = {},
): Promise<[ChildProcess, address: string]> {
  const settings = { ...apiSettings(serviceUrl), temporal: inject('temporal'), key, ...options }
  const { child, address } = await startGatewayChild(settings)
  return [child, address]
}
