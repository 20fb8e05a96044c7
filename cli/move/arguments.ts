import { parseArgs } from 'node:util'

const usage = 'npm run move -- file:.lockerflow/service.db postgres://user:secret@host:5432/database'

/**
 * What is to be moved and where to.
 * @throws Error with the usage, and with nothing that was given, since a URL has a secret in it
 */
export function readArguments(args: readonly string[]): { from: string; to: string } {
  const [from = '', to = '', ...others] = positionals(args)
  if (/^file:./.test(from) && /^postgres(ql)?:\/\/./.test(to) && others.length === 0) return { from, to }
  throw new Error(`takes the file: URL of the embedded store and the postgres:// URL of an empty database: ${usage}`)
}

function positionals(args: readonly string[]): string[] {
  try {
    return parseArgs({ args: [...args], allowPositionals: true }).positionals
  } catch {
    return []
  }
}
