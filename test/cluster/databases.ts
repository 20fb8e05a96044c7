import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeLiteral } from 'pg'
import { root } from '../support/compose/resolved.ts'

/**
 * The statements of docker/databases.sql as psql would send them: `\getenv` reads an environment variable, `:'name'`
 * quotes it.
 */
export function databaseStatements(environment: Readonly<Record<string, string>>): string[] {
  const lines = readFileSync(join(root, 'docker', 'databases.sql'), 'utf8').split('\n')
  const values = new Map(
    lines.flatMap(line => {
      const [, name, variable] = /^\\getenv (\w+) (\w+)$/.exec(line) ?? []
      return name === undefined || variable === undefined ? [] : [[name, environment[variable] ?? ''] as const]
    }),
  )
  const text = lines.filter(line => !line.startsWith('\\') && !line.startsWith('--')).join('\n')
  return text
    .replaceAll(/:'(\w+)'/g, (_, name) => escapeLiteral(values.get(name) ?? ''))
    .split(';')
    .map(statement => statement.trim())
    .filter(statement => statement !== '')
}
