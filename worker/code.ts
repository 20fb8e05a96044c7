import { existsSync } from 'node:fs'
import type { WorkflowBundleOption } from '@temporalio/worker'
import { z } from 'zod'
import { SettingsFault, type Values, type Variable } from '#contract/settings'
import type { Build } from './deployment.ts'

/** Which code a worker runs: the build that it says it is, and the file that its workflows are in. */
export interface Code {
  readonly build?: Build
  readonly bundle?: WorkflowBundleOption
}

/** What the promotion of a build reads too. */
export const codeVariables = {
  LOCKERFLOW_DEPLOYMENT: {
    meaning: 'Name of the worker deployment that the worker is a build of; left out, it is unversioned.',
    example: 'lockerflow',
    schema: z
      .string()
      .regex(/^(?!__temporal_)[^.:]{1,200}$/, 'has to be a name without a point or a colon')
      .optional(),
  },
  LOCKERFLOW_BUILD_ID: {
    meaning: 'Which build of that deployment the worker is; another one for each change of the workflows.',
    example: '2026-11-20',
    schema: z
      .string()
      .regex(/^\S{1,200}$/, 'has to be a word')
      .optional(),
  },
  LOCKERFLOW_WORKFLOW_BUNDLE: {
    meaning:
      'File with the prebuilt workflow bundle, written by `npm run build`; left out, each worker builds its own.',
    example: '.lockerflow/workflows.js',
    schema: z.string().optional(),
  },
} as const satisfies Record<string, Variable>

/** What the variables say. Throws a SettingsFault. */
export function codeIn(values: Values<typeof codeVariables>): Code {
  const build = buildIn(values)
  const bundle = bundleIn(values)
  return { ...(build && { build }), ...(bundle && { bundle }) }
}

/** A build has both names; a worker with one of them would be taken for another than was meant. */
function buildIn(values: Values<typeof codeVariables>): Build | undefined {
  const { LOCKERFLOW_DEPLOYMENT: deploymentName, LOCKERFLOW_BUILD_ID: buildId } = values
  if (deploymentName !== undefined && buildId !== undefined) return { deploymentName, buildId }
  if (deploymentName === undefined && buildId === undefined) return undefined
  const [missing, given] =
    buildId === undefined
      ? (['LOCKERFLOW_BUILD_ID', 'LOCKERFLOW_DEPLOYMENT'] as const)
      : (['LOCKERFLOW_DEPLOYMENT', 'LOCKERFLOW_BUILD_ID'] as const)
  throw new SettingsFault(missing, codeVariables[missing], `is missing, and ${given} is there: a build has both`)
}

function bundleIn({ LOCKERFLOW_WORKFLOW_BUNDLE: codePath }: Values<typeof codeVariables>) {
  if (codePath === undefined) return undefined
  if (existsSync(codePath)) return { codePath }
  const name = 'LOCKERFLOW_WORKFLOW_BUNDLE'
  throw new SettingsFault(name, codeVariables[name], `there is no file ${codePath}; npm run build writes one`)
}
