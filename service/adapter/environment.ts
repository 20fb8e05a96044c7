import { z } from 'zod'
import {
  environmentVariable,
  hardwareKeyVariables,
  httpUrl,
  logLevelVariable,
  port,
  readListeningHost,
  readSecret,
  readTogether,
  readVariables,
  SettingsError,
  type Variable,
  wholeNumber,
} from '#platform/settings'
import { createProcessLog } from '#platform/logs'
import { listDoors, selectTopology, serviceVariables } from '#service/environment'
import type { SimulatorSettings } from './simulator.ts'

const { LOCKERFLOW_TOPOLOGY } = serviceVariables

/** The variables of `lockerflow hardware`. */
export const simulatorVariables = {
  ...environmentVariable,
  ...logLevelVariable,
  LOCKERFLOW_TOPOLOGY,
  LOCKERFLOW_SIMULATOR_HOST: {
    description: 'Address on which the hardware simulator listens. Its control API has no authentication.',
    example: '127.0.0.1',
    schema: z.string().default('127.0.0.1'),
  },
  LOCKERFLOW_SIMULATOR_PORT: {
    description: 'Port of the hardware simulator; 0 means a free port.',
    example: '8086',
    schema: port(0).default(8_086),
  },
  LOCKERFLOW_SIMULATOR_EVENTS_URL: {
    description: 'Address to which the hardware simulator sends events.',
    example: 'http://127.0.0.1:8080/hardware/events',
    schema: httpUrl.default('http://127.0.0.1:8080/hardware/events'),
  },
  LOCKERFLOW_SIMULATOR_CLOSE_AFTER: {
    description: 'Milliseconds after which a simulated door closes; 0 means never.',
    example: '5000',
    schema: wholeNumber({
      from: 0,
      to: 3_600_000,
      wrong: 'must be a whole number of milliseconds up to 3600000',
    }).default(5_000),
  },
  ...hardwareKeyVariables,
} as const satisfies Record<string, Variable>

/**
 * Reads the settings of a simulator process.
 * @throws SettingsError with every problem
 */
export function readEnvironment(source: NodeJS.ProcessEnv = process.env): SimulatorSettings {
  const { values, topology } = readTogether({
    values: () => readVariables(source, simulatorVariables),
    topology: () => selectTopology(source, false),
    host: () => readListeningHost(source, undefined, 'LOCKERFLOW_SIMULATOR_HOST'),
    environment: () => rejectProduction(source),
    key: () => requireKey(source),
  })
  const keys = [values.LOCKERFLOW_HARDWARE_KEY, values.LOCKERFLOW_HARDWARE_KEY_PREVIOUS]
  return {
    host: values.LOCKERFLOW_SIMULATOR_HOST,
    port: values.LOCKERFLOW_SIMULATOR_PORT,
    keys: keys.filter(key => key !== undefined),
    eventsUrl: () => values.LOCKERFLOW_SIMULATOR_EVENTS_URL,
    closeAfter: values.LOCKERFLOW_SIMULATOR_CLOSE_AFTER,
    doors: listDoors(topology),
    log: createProcessLog('hardware', values.LOCKERFLOW_LOG_LEVEL),
  }
}

/** The key of an adapter for the checks; undefined if neither the variable nor its file is set. */
export function readCheckKey(source: NodeJS.ProcessEnv = process.env): string | undefined {
  const secret = readSecret(source, 'LOCKERFLOW_HARDWARE_KEY')
  return 'text' in secret ? secret.text : undefined
}

function rejectProduction({ LOCKERFLOW_ENVIRONMENT: environment }: NodeJS.ProcessEnv): void {
  if (environment !== 'production') return
  const wrong = 'must be staging, since a simulator opens no door'
  throw new SettingsError({ name: 'LOCKERFLOW_ENVIRONMENT', wrong, example: 'staging' })
}

function requireKey({ LOCKERFLOW_HARDWARE_KEY, LOCKERFLOW_HARDWARE_KEY_FILE }: NodeJS.ProcessEnv): void {
  if (LOCKERFLOW_HARDWARE_KEY || LOCKERFLOW_HARDWARE_KEY_FILE) return
  const { example } = hardwareKeyVariables.LOCKERFLOW_HARDWARE_KEY
  throw new SettingsError({ name: 'LOCKERFLOW_HARDWARE_KEY', wrong: 'is missing', example })
}
