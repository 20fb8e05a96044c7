import { codecServerVariables } from '#gateway/codecServer/settings'
import { gatewayVariables } from '#gateway/settings'
import { readVariables, type Variable, withoutEmpty } from '#platform/settings'
import { serviceVariables } from '#service/settings'

const port = serviceVariables.LOCKERFLOW_SERVICE_PORT.schema.unwrap()

/** The variables of `lockerflow dev` and `lockerflow demo`. */
export const stackVariables = {
  LOCKERFLOW_SERVICE_PORT: serviceVariables.LOCKERFLOW_SERVICE_PORT,
  LOCKERFLOW_GATEWAY_PORT: gatewayVariables.LOCKERFLOW_GATEWAY_PORT,
  LOCKERFLOW_TEMPORAL_PORT: {
    description: 'Port of the Temporal server that `lockerflow dev` and `lockerflow demo` start; 0 means a free port.',
    example: '7233',
    schema: port.default(7_233),
  },
  LOCKERFLOW_TEMPORAL_UI_PORT: {
    description: "Port of that server's Web UI; 0 means a free port.",
    example: '8233',
    schema: port.default(8_233),
  },
  LOCKERFLOW_CODEC_PORT: codecServerVariables.LOCKERFLOW_CODEC_PORT,
} as const satisfies Record<string, Variable>

/** Ports of a stack. 0 takes a free one. */
export interface StackPorts {
  readonly service: number
  readonly gateway: number
  readonly temporal: number
  readonly ui: number
  readonly codec: number
}

/** The variable that sets each port. */
export const portSettings = {
  service: 'LOCKERFLOW_SERVICE_PORT',
  gateway: 'LOCKERFLOW_GATEWAY_PORT',
  temporal: 'LOCKERFLOW_TEMPORAL_PORT',
  ui: 'LOCKERFLOW_TEMPORAL_UI_PORT',
  codec: 'LOCKERFLOW_CODEC_PORT',
} as const satisfies Record<keyof StackPorts, keyof typeof stackVariables>

/**
 * Reads the ports of a stack.
 * @param unset which ports stand for variables that are not set: the default ones or free ones
 * @throws SettingsError
 */
export function readPorts(source: NodeJS.ProcessEnv, unset: 'default' | 'free'): StackPorts {
  const free = Object.fromEntries(Object.keys(stackVariables).map(name => [name, '0']))
  const values = readVariables(unset === 'free' ? { ...free, ...withoutEmpty(source) } : source, stackVariables)
  return {
    service: values.LOCKERFLOW_SERVICE_PORT,
    gateway: values.LOCKERFLOW_GATEWAY_PORT,
    temporal: values.LOCKERFLOW_TEMPORAL_PORT,
    ui: values.LOCKERFLOW_TEMPORAL_UI_PORT,
    codec: values.LOCKERFLOW_CODEC_PORT,
  }
}
