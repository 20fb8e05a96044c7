import { loadTogether } from '#platform/settings'
import { findFlowFiles, readEnvironment } from './environment.ts'
import type { Declarations } from './flowApi/index.ts'
import type { GatewaySettings } from './settings.ts'

export { gatewayVariables } from './environment.ts'

/**
 * Reads the settings of a gateway process, and the declarations of own flows that its flow API has.
 * @param folder of the key that a staging gateway creates
 * @throws SettingsError with every problem of the environment and of the files that it names
 */
export async function readProcess(
  given: Partial<GatewaySettings> = {},
  source?: NodeJS.ProcessEnv,
  folder?: string,
): Promise<GatewaySettings> {
  const { settings, flows } = await loadTogether({
    settings: () => readEnvironment(source, folder, given),
    flows: () => loadOwnFlows(given.flowApi ?? findFlowFiles(source)),
  })
  const { flowApi } = settings
  return { ...settings, ...withoutUndefined(given), ...(flowApi && { flowApi: { ...flowApi, flows, flowFiles: [] } }) }
}

/** The command reads the settings of a gateway without flows, and loads no listener. */
async function loadOwnFlows(declarations: Declarations | undefined) {
  if (declarations === undefined) return []
  const { loadFlowApiFlows } = await import('./flowApi/index.ts')
  return loadFlowApiFlows(declarations)
}

/** The given settings that are not undefined. */
export function withoutUndefined<Settings extends object>(settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Settings
}

/** The address that the service sends callbacks to. @param gateway LOCKERFLOW_GATEWAY_URL */
export function toCallbackAddress(gateway: string): string {
  return `${gateway.replace(/\/+$/, '')}/callbacks`
}
