import {
  environmentVariable,
  httpUrl,
  isGiven,
  isProduction,
  plainHttpProblem,
  readTogether,
  readVariables,
  SettingsError,
  type Source,
  signatureKey,
  type Variable,
} from '#platform/settings'

/** The hook of an erasure (D-204). */
export const erasureVariables = {
  LOCKERFLOW_ERASURE_URL: {
    description:
      'Address to which `lockerflow person erase` posts the uid of the person, so that another store forgets it too. In production http is allowed for private hosts only.',
    example: 'http://127.0.0.1:8090/forget',
    schema: httpUrl.optional(),
    production: { problem: plainHttpProblem },
    secret: true,
  },
  LOCKERFLOW_ERASURE_KEY: {
    description: 'Key that signs these requests. Production requires it with the address.',
    example: 'choose-32-random-characters-here',
    schema: signatureKey.optional(),
    secret: true,
  },
} as const satisfies Record<string, Variable>

/** Where an erasure is reported, and the key that signs the request; staging may send it without. */
export interface ErasureHook {
  readonly url: string
  readonly key?: string
}

/**
 * Reads the hook of an erasure, for the command; undefined without one.
 * @throws SettingsError with every problem
 */
export function readErasureHook(source: Source): ErasureHook | undefined {
  const { values } = readTogether({
    values: () => readVariables(source, { ...environmentVariable, ...erasureVariables }),
    parts: () => requireParts(source),
  })
  const { LOCKERFLOW_ERASURE_URL: url, LOCKERFLOW_ERASURE_KEY: key } = values
  return url === undefined ? undefined : { url, ...(key !== undefined && { key }) }
}

function requireParts(source: Source): void {
  const [url, key] = ['LOCKERFLOW_ERASURE_URL', 'LOCKERFLOW_ERASURE_KEY'] as const
  if (isGiven(source, key) && !isGiven(source, url)) throw missing(url, key)
  if (isProduction(source) && isGiven(source, url) && !isGiven(source, key)) throw missing(key, url)
}

function missing(name: keyof typeof erasureVariables, present: string): SettingsError {
  const wrong = `is missing although ${present} is set. Set both`
  return new SettingsError({ name, wrong, example: erasureVariables[name].example })
}
