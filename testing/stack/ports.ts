import { portSettings, type StackPorts } from './settings.ts'
import type { StackOptions } from './stack.ts'

/** The address of all parts. */
export const ip = '127.0.0.1'

export const freePorts: StackPorts = { service: 0, gateway: 0, temporal: 0, ui: 0, codec: 0 }

/** The ports on which parts of the stack will listen, with the setting of each. */
export function portsToBind(
  { ring, flowApi }: Pick<StackOptions, 'ring' | 'flowApi'>,
  ports: StackPorts,
  hasOwnTemporal: boolean,
) {
  const names = [
    ...(['service', 'gateway'] as const),
    ...(hasOwnTemporal ? (['temporal', 'ui'] as const) : []),
    ...(ring === undefined ? [] : (['codec'] as const)),
  ]
  return [
    ...names.map(name => ({ setting: portSettings[name], port: ports[name] })),
    ...(flowApi === undefined ? [] : [{ setting: 'LOCKERFLOW_FLOW_API_PORT', port: flowApi.port }]),
  ]
}
