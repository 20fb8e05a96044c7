import { parseArgs } from 'node:util'
import type { Build } from '../deployment.ts'

const usage = 'npm run promote -- --deployment lockerflow --build-id 2026-11-20 [--sample 500] [--check]'

export interface PromotionArguments {
  /** What the command line says of the build; the environment says the rest. */
  readonly said: Partial<Build>
  readonly sample?: number
  readonly onlyCheck: boolean
}

/** What is to be promoted. Throws an Error with the usage. */
export function readArguments(args: readonly string[]): PromotionArguments {
  const { deployment, 'build-id': buildId, sample, check } = valuesOf(args)
  if (sample !== undefined && !/^[1-9]\d{0,8}$/.test(sample)) throw new Error(`--sample has to be a number: ${usage}`)
  return {
    said: { ...(deployment && { deploymentName: deployment }), ...(buildId && { buildId }) },
    ...(sample !== undefined && { sample: Number(sample) }),
    onlyCheck: check,
  }
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        deployment: { type: 'string' },
        'build-id': { type: 'string' },
        sample: { type: 'string' },
        check: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error}: ${usage}`)
  }
}
