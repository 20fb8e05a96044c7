import { z } from 'zod'
import {
  hardwareKeyVariables,
  isGiven,
  isProduction,
  plainHttpProblem,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  type Variable,
} from '#platform/settings'
import { adapterUrl, readAdapterFile } from './adapterFile.ts'
import type { HardwareAdapter } from './hardware.ts'

export const hardwareVariables = {
  LOCKERFLOW_HARDWARE_URL: {
    description:
      'Address of the adapter that opens locker doors. Without it, staging pretends that every door opens, and production does not start. In production http is allowed for private hosts only.',
    example: 'https://adapter.example',
    schema: adapterUrl.optional(),
    production: { required: true, problem: plainHttpProblem },
  },
  ...hardwareKeyVariables,
  LOCKERFLOW_HARDWARE_ADAPTERS: {
    description: 'File (YAML or JSON) with further adapters, each for certain pick up points.',
    example: 'adapters.yaml',
    schema: z.string().optional(),
  },
} as const satisfies Record<string, Variable>

/**
 * Reads the adapters of locker hardware; none if staging pretends.
 * @throws SettingsError with every problem
 */
export function readAdapters(source: Source): readonly HardwareAdapter[] {
  const { values, named } = readTogether({
    values: () => readVariables(source, hardwareVariables),
    parts: () => requireTogether(source),
    named: () => readNamedAdapters(source),
  })
  const url = values.LOCKERFLOW_HARDWARE_URL
  const key = values.LOCKERFLOW_HARDWARE_KEY
  const previous = values.LOCKERFLOW_HARDWARE_KEY_PREVIOUS
  if (url === undefined || key === undefined) return named
  const keys = previous === undefined ? [key] : [key, previous]
  return [...named, { name: undefined, url: url.replace(/\/+$/, ''), keys, pickUpPoints: undefined }]
}

/** Without the address, staging would pretend that doors open although an adapter has a key. */
function requireTogether(source: Source): void {
  // Production requires the address and the key in any case.
  if (isProduction(source)) return
  const names = ['LOCKERFLOW_HARDWARE_URL', 'LOCKERFLOW_HARDWARE_KEY', 'LOCKERFLOW_HARDWARE_KEY_PREVIOUS'] as const
  const given = names.find(name => isGiven(source, name))
  if (given === undefined) return
  const require = (needed: (typeof names)[number]) => () => {
    if (!isGiven(source, needed)) throw problem(needed, `must be set together with ${given}`)
  }
  readTogether({ url: require('LOCKERFLOW_HARDWARE_URL'), key: require('LOCKERFLOW_HARDWARE_KEY') })
}

function readNamedAdapters(source: Source): readonly HardwareAdapter[] {
  const { LOCKERFLOW_HARDWARE_ADAPTERS: path } = source
  const named = path ? readAdapterFile(path, isProduction(source)) : []
  if (typeof named === 'string') throw problem('LOCKERFLOW_HARDWARE_ADAPTERS', named)
  return named
}

function problem(name: keyof typeof hardwareVariables, wrong: string): SettingsError {
  return new SettingsError({ name, wrong, example: hardwareVariables[name].example })
}
