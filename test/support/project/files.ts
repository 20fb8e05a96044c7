import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../project/sources.ts'

/** Every file of the project, relative to its root: those in Git, and new ones that Git does not ignore. */
export function listFiles(...patterns: readonly string[]): string[] {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', ...patterns], {
    cwd: root,
    encoding: 'utf8',
  })
  return listed.split('\n').filter(path => path !== '' && existsSync(join(root, path)))
}
