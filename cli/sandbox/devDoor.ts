import { readVariables } from '#contract/settings'
import { gatewayVariables, readDoor } from '#gateway'
import { freePort } from '../ports.ts'
import { ip, type StackDoor } from '../stack/index.ts'

/**
 * Reads the listener of flows over HTTP for a developer's stack: undefined without LOCKERFLOW_DOOR_PORT. It accepts the
 * clients of the service, as in staging, and keeps its port when the stack starts again after a snapshot.
 * @throws SettingsError
 */
export async function readDevDoor(environment: NodeJS.ProcessEnv): Promise<StackDoor | undefined> {
  const { LOCKERFLOW_DOOR_PORT } = gatewayVariables
  const { LOCKERFLOW_DOOR_PORT: set } = readVariables(environment, { LOCKERFLOW_DOOR_PORT })
  if (set === undefined) return undefined
  const port = set || (await freePort(ip))
  const source = { ...environment, LOCKERFLOW_ENVIRONMENT: 'staging', LOCKERFLOW_DOOR_PORT: String(port) }
  return { port, settings: api => readDoor(source, () => api) }
}
