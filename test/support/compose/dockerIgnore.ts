import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './resolved.ts'

/**
 * The files of the build context, sorted: those that .dockerignore does not exclude. As in Docker, the last matching
 * line decides. Supports only `*` and paths without wildcards.
 */
export function contextFiles(): string[] {
  const lines = readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')
  const rules = lines.filter(line => line !== '' && !line.startsWith('#')).map(ruleOf)
  const isIn = (path: string) => rules.findLast(({ matches }) => matches(path))?.keeps ?? true
  const top = readdirSync(root, { withFileTypes: true }).filter(
    ({ name }) => name !== 'node_modules' && name !== '.git',
  )
  return top
    .flatMap(entry =>
      entry.isDirectory()
        ? readdirSync(join(root, entry.name), { recursive: true, withFileTypes: true })
            .filter(below => below.isFile())
            .map(below => join(below.parentPath, below.name).slice(root.length + 1))
        : [entry.name],
    )
    .filter(isIn)
    .sort()
}

function ruleOf(line: string): { keeps: boolean; matches: (path: string) => boolean } {
  const keeps = line.startsWith('!')
  const pattern = keeps ? line.slice(1) : line
  if (pattern !== '*' && /[*?[\\]/.test(pattern))
    throw new Error(`.dockerignore: ${line} is not supported by the tests`)
  return { keeps, matches: path => pattern === '*' || path === pattern || path.startsWith(`${pattern}/`) }
}
