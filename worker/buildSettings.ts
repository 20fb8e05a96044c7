import { existsSync } from 'node:fs'
import type { WorkerDeploymentVersion } from '@temporalio/common'
import type { WorkflowBundleOption } from '@temporalio/worker'
import { z } from 'zod'
import {
  isGiven,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  type Values,
  type Variable,
} from '#platform/settings'

/** The code that a worker runs: its build, and the file of its workflow bundle. */
export interface BuildSettings {
  readonly build?: WorkerDeploymentVersion
  readonly bundle?: WorkflowBundleOption
}

/** Read by the worker and by the promotion of a build. */
export const buildVariables = {
  LOCKERFLOW_DEPLOYMENT: {
    description: 'Name of the worker deployment that the build belongs to. Without it the worker is unversioned.',
    example: 'lockerflow',
    schema: z
      .string()
      .regex(/^(?!__temporal_)[^.:]{1,200}$/, 'must be a name without a period or a colon')
      .optional(),
  },
  LOCKERFLOW_BUILD_ID: {
    description: 'Id of the build. Each change of the workflows needs a new one.',
    example: '2026-11-20',
    schema: z
      .string()
      .regex(/^\S{1,200}$/, 'must be a text without blanks')
      .optional(),
  },
  LOCKERFLOW_WORKFLOW_BUNDLE: {
    description:
      'File with a prebuilt workflow bundle, which `npm run build` writes in a clone. Without it a worker of the package uses that of the package, and a worker in a clone builds its own.',
    example: '.lockerflow/workflows.js',
    schema: z.string().optional(),
  },
} as const satisfies Record<string, Variable>

/**
 * Reads the build and the bundle.
 * @throws SettingsError
 */
export function readBuildSettings(source: Source): BuildSettings {
  const { LOCKERFLOW_WORKFLOW_BUNDLE, ...names } = buildVariables
  const { version, bundle } = readTogether({
    version: () => readVariables(source, names),
    both: () => requireBoth(source),
    bundle: () => bundleFrom(readVariables(source, { LOCKERFLOW_WORKFLOW_BUNDLE })),
  })
  const build = versionFrom(version)
  return { ...(build && { build }), ...(bundle && { bundle }) }
}

type Version = Pick<Values<typeof buildVariables>, 'LOCKERFLOW_DEPLOYMENT' | 'LOCKERFLOW_BUILD_ID'>

/** A build needs both names: with one of them Temporal would treat the worker as a different build. */
function requireBoth(source: Source): void {
  const names = ['LOCKERFLOW_DEPLOYMENT', 'LOCKERFLOW_BUILD_ID'] as const
  const present = names.find(name => isGiven(source, name))
  const missing = names.find(name => !isGiven(source, name))
  if (present === undefined || missing === undefined) return
  throw toError(missing, `is missing although ${present} is set. A build needs both`)
}

function versionFrom({
  LOCKERFLOW_DEPLOYMENT: deploymentName,
  LOCKERFLOW_BUILD_ID: buildId,
}: Version): WorkerDeploymentVersion | undefined {
  return deploymentName === undefined || buildId === undefined ? undefined : { deploymentName, buildId }
}

function bundleFrom({
  LOCKERFLOW_WORKFLOW_BUNDLE: codePath,
}: Pick<Values<typeof buildVariables>, 'LOCKERFLOW_WORKFLOW_BUNDLE'>) {
  if (codePath === undefined) return undefined
  if (existsSync(codePath)) return { codePath }
  throw toError('LOCKERFLOW_WORKFLOW_BUNDLE', `must be an existing file, but ${codePath} is not`)
}

function toError(name: keyof typeof buildVariables, wrong: string): SettingsError {
  return new SettingsError({ name, wrong, example: buildVariables[name].example })
}
