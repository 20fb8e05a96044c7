import { readFileSync } from 'node:fs'
import { type Problem, SettingsError } from './settingsError.ts'
import { isGiven, isProduction, type Source, type Values, type Variable } from './variable.ts'
import { isPublicSecret, isWeakSecret } from './weakSecrets.ts'

/**
 * Reads variables from an environment. Empty ones count as unset. Secrets may come from files.
 * @throws SettingsError with every problem
 */
export function readVariables<Declared extends Record<string, Variable>>(
  source: Source,
  declared: Declared,
): Values<Declared> {
  const problems: Problem[] = []
  const values = Object.entries<Variable>(declared).map(([name, variable]) => {
    const read = readVariable(source, name, variable)
    if ('wrong' in read) problems.push({ name, example: variable.example, ...read })
    return [name, 'value' in read ? read.value : undefined]
  })
  for (const [given, { needs }] of Object.entries<Variable>(declared)) {
    if (needs === undefined || !isGiven(source, given)) continue
    for (const name of needs.names) {
      const missing: Variable | undefined = isGiven(source, name) ? undefined : declared[name]
      if (missing === undefined || problems.some(each => each.name === name)) continue
      problems.push({ name, wrong: needs.wrong(given), example: missing.example })
    }
  }
  if (problems.length > 0) throw new SettingsError(...problems)
  return Object.fromEntries(values) as Values<Declared>
}

type Read = { readonly value: unknown } | (Pick<Problem, 'wrong'> & Partial<Problem>)

function readVariable(source: Source, name: string, variable: Variable): Read {
  const read = variable.secret ? readSecret(source, name) : { text: source[name] || undefined }
  if ('wrong' in read) return read
  const { text } = read
  const production = isProduction(source)
  if (text === undefined && production && (variable.staging !== undefined || variable.production?.required)) {
    return { wrong: 'is missing. Production has no default' }
  }
  const parsed = variable.schema.safeParse(text ?? variable.staging)
  if (!parsed.success) {
    return { wrong: text === undefined ? 'is missing' : (parsed.error.issues[0]?.message ?? 'must be valid') }
  }
  const wrong = production && text !== undefined ? problemInProduction(text, variable) : undefined
  return wrong === undefined ? { value: parsed.data } : { wrong }
}

function problemInProduction(text: string, { secret, example, production }: Variable): string | undefined {
  if (secret) {
    const secrets = secret === true ? [text] : secret(text)
    if (text === example || isPublicSecret(text) || secrets.some(isWeakSecret))
      return 'must be a secret of your own in production, neither one of the documentation nor of few different characters'
  }
  return production?.problem?.(text)
}

/** A secret of the environment, or of the file that `<name>_FILE` names, without the line breaks at its end. */
export function readSecret(
  source: Source,
  name: string,
): { readonly text: string | undefined } | (Pick<Problem, 'wrong'> & Partial<Problem>) {
  const fileName = `${name}_FILE`
  const path = source[fileName] || undefined
  if (path === undefined) return { text: source[name] || undefined }
  if (source[name]) return { wrong: `is set, and so is ${fileName}. Set one of them` }
  const about = { name: fileName, example: `/run/secrets/${name.toLowerCase()}` }
  const file = readNamedFile(path)
  if ('wrong' in file) return { ...about, ...file }
  const text = file.text.replace(/[\r\n]+$/, '')
  return text === '' ? { ...about, wrong: `must name a file with the secret, but ${path} is empty` } : { text }
}

/** The text of a file that a variable names, or what is wrong with the variable. */
export function readNamedFile(path: string): { readonly text: string } | Pick<Problem, 'wrong'> {
  try {
    return { text: readFileSync(path, 'utf8') }
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? error.code : String(error)
    return { wrong: `must name a file that the process can read, but ${path} is not (${reason})` }
  }
}
