import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'
import { describeIssue } from '#contract'
import { validateUrlSyntax } from '#platform/addresses'
import { httpUrl, isWeakSecret, plainHttpProblem, signatureKey } from '#platform/settings'
import type { HardwareAdapter } from './hardware.ts'

/** The address of an adapter, which may be in a private network. */
export const adapterUrl = httpUrl.superRefine((url, context) => {
  const fault = validateUrlSyntax(url, true)
  if (fault !== undefined) context.addIssue(fault.replace(/^url /, ''))
})

const adapter = z.strictObject({
  /** The last part of the path to which the adapter sends its events. */
  name: z.string().regex(/^[a-z0-9-]{1,50}$/, 'must be 1 to 50 lower-case letters, digits and hyphens'),
  url: adapterUrl,
  key: signatureKey,
  /** Signs and is accepted too, while the key is replaced. */
  previousKey: signatureKey.optional(),
  pickUpPoints: z.array(z.string().min(1).max(64)).min(1),
})

const adapterFile = z.strictObject({ adapters: z.array(adapter).min(1).max(100) })

/**
 * Reads a file with adapters.
 * @param production refuses plain http to public hosts, and weak secrets
 * @returns the adapters, or the problem of the file without its secrets
 */
export function readAdapterFile(path: string, production: boolean): readonly HardwareAdapter[] | string {
  let content: unknown
  try {
    content = parse(readFileSync(path, 'utf8'))
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    return `must name a readable YAML or JSON file, but ${path} is not (${code})`
  }
  const read = adapterFile.safeParse(content)
  if (!read.success) return `${path}: ${read.error.issues.map(issue => describeIssue(issue, content)).join('; ')}`
  const { adapters } = read.data
  const problems = [
    ...repeated(adapters.map(({ name }) => name)).map(name => `the name ${name} must occur once`),
    ...repeated(adapters.flatMap(({ pickUpPoints }) => pickUpPoints)).map(uid => `${uid} must have one adapter`),
    ...(production ? adapters.flatMap(problemsInProduction) : []),
  ]
  if (problems.length > 0) return `${path}: ${problems.join('; ')}`
  return adapters.map(({ name, url, key, previousKey, pickUpPoints }) => {
    const keys = previousKey === undefined ? [key] : [key, previousKey]
    return { name, url: url.replace(/\/+$/, ''), keys, pickUpPoints }
  })
}

function problemsInProduction({ name, url, key, previousKey }: z.infer<typeof adapter>): string[] {
  const wrong = plainHttpProblem(url)
  const isWeak = [key, previousKey].some(secret => secret !== undefined && isWeakSecret(secret))
  return [
    ...(wrong === undefined ? [] : [`url of ${name} ${wrong}`]),
    ...(isWeak
      ? [
          `key of ${name} must be a secret of your own in production, neither one of the documentation nor of few different characters`,
        ]
      : []),
  ]
}

function repeated(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text, index) => texts.indexOf(text) !== index))]
}
