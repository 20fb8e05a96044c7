import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll } from 'vitest'

/** Milliseconds. An installation takes seconds with cached packages, and a minute without. */
export const installTimeout = 5 * 60_000

/** The output of a program that has ended. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** An empty folder outside of the project, which is removed at the end of the file. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-installed-'))
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  return folder
}

/** Runs a program in a folder, with the variables of this machine only. */
export async function run(
  folder: string,
  [program, ...args]: readonly [string, ...string[]],
  variables: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const env = { ...ofThisMachine(), PATH: withNode(), ...variables }
  try {
    const { stdout, stderr } = await promisify(execFile)(program, args, { cwd: folder, env, timeout: installTimeout })
    return { code: 0, stdout, stderr }
  } catch (error) {
    const { code = 1, stdout = '', stderr = String(error) } = error as Partial<Ended>
    return { code, stdout, stderr }
  }
}

/** @throws Error with the output of npm */
export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  const args = [
    'install',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    '--fetch-retries=1',
    '--loglevel=error',
    ...packages,
  ]
  const { code, stderr } = await run(folder, ['npm', ...args])
  if (code !== 0) throw new Error(stderr)
}

/** The Node of the tests comes first: npm and the installed commands run on it. */
function withNode(): string {
  return [dirname(process.execPath), process.env.PATH].join(delimiter)
}

/** The environment of this machine, without the variables of `npm test` and the settings of programs. */
function ofThisMachine(): NodeJS.ProcessEnv {
  const added =
    /^(npm_(package|lifecycle|config_(local_)?prefix)|INIT_CWD|NODE_(ENV|OPTIONS|PATH)|VITEST|LOCKERFLOW|TEMPORAL)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !added.test(name)))
}
