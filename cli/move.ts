import { argv } from 'node:process'
import { parseArgs } from 'node:util'
import { copyStore, readKeyEncryption } from '#service'

const usage = 'npm run move -- file:.lockerflow/service.db postgres://user:secret@host:5432/database'

if (import.meta.main) {
  try {
    const { from, to } = readArguments(argv.slice(2))
    await copyStore(from, to, {
      targetKeys: readKeyEncryption(),
      onTable: ({ table, rows }) => console.log(`${table.padEnd(22)}${String(rows).padStart(9)}`),
    })
    console.log(
      [
        '',
        'PostgreSQL has all rows. Set LOCKERFLOW_DATABASE_URL to its URL and start the service.',
        'The old file is unchanged. Keep it as a backup, and start no service with it again.',
      ].join('\n'),
    )
  } catch (error) {
    console.error(`move: ${error instanceof Error ? error.message : String(error)}`)
    process.exitCode = 1
  }
}

/**
 * Reads the URLs of the old and the new store.
 * @throws Error with the usage and without the arguments, since a URL contains a secret
 */
export function readArguments(args: readonly string[]): { from: string; to: string } {
  const [from = '', to = '', ...others] = readPositionals(args)
  if (/^file:./.test(from) && /^postgres(ql)?:\/\/./.test(to) && others.length === 0) return { from, to }
  throw new Error(`expects the file: URL of the embedded store and the postgres:// URL of an empty database: ${usage}`)
}

function readPositionals(args: readonly string[]): string[] {
  try {
    return parseArgs({ args: [...args], allowPositionals: true }).positionals
  } catch {
    return []
  }
}
