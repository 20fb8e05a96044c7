import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { escapeLiteral } from 'pg'
import { root } from '../support/compose/resolved.ts'

/**
 * The statements of deploy/docker/databases.sql as psql would send them: `\set` takes the output of a command, `:'name'` quotes it.
 * @param secrets the folder in place of /run/secrets
 */
export function databaseStatements(secrets: string): string[] {
  const lines = readFileSync(join(root, 'docker', 'databases.sql'), 'utf8').split('\n')
  const values = new Map(
    lines.flatMap(line => {
      const [, name = '', command] = /^\\set (\w+) `(.+)`$/.exec(line) ?? []
      if (command === undefined) return []
      const here = command.replaceAll('/run/secrets', secrets)
      return [[name, execFileSync('sh', ['-c', here], { encoding: 'utf8' }).trimEnd()] as const]
    }),
  )
  const text = lines.filter(line => !line.startsWith('\\') && !line.startsWith('--')).join('\n')
  return text
    .replaceAll(/:'(\w+)'/g, (_, name) => escapeLiteral(values.get(name) ?? ''))
    .split(';')
    .map(statement => statement.trim())
    .filter(statement => statement !== '')
}
