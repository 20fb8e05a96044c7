import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { readEnvironment } from '../../../platform/environment.ts'
import { type RunningCommand, startCommand } from '../../docs/commands.ts'
import { cachedFolder } from '../cachedFolder.ts'

/** Milliseconds. An installation takes seconds with cached packages, and a minute without. */
export const installTimeout = 5 * 60_000

/** Milliseconds for the start of all processes on a loaded machine. */
const startTimeout = 300_000

/** Versions of Node that the client supports, besides the one of the tests. The service runs on the newest, too. */
export const otherNodes = { node20: '20.19.6', node22: '22.23.3', node26: '26.10.0' } as const
const pnpmVersion = '12.21.0'

/** The output of a program that has ended. */
export interface Ended {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

const folders: string[] = []

/** An empty folder outside of the project. A hook cannot register another one, so the test file calls `removeFolders`. */
export async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-installed-'))
  folders.push(folder)
  return folder
}

/** A folder with a package that depends on nothing. */
export async function projectFolder(): Promise<string> {
  const folder = await emptyFolder()
  await writePackage(folder)
  return folder
}

export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
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

interface NpmOptions {
  /** The Node.js that npm runs on. */
  readonly node?: string | undefined
  /** The environment variables that name a registry. */
  readonly variables?: Readonly<Record<string, string>>
}

/** @throws Error with the output of npm */
export async function npmInstall(folder: string, packages: readonly string[], options: NpmOptions = {}): Promise<void> {
  const args = ['--no-audit', '--no-fund', '--prefer-offline', '--fetch-retries=1', '--loglevel=error']
  await install(folder, ['npm', 'install', ...args, ...packages], options)
}

/**
 * Runs commands of a page as they are written, as a shell does into which a reader pastes them.
 * @throws Error with the output of the commands
 */
export async function paste(folder: string, commands: string, options: NpmOptions): Promise<void> {
  await install(folder, ['bash', '-euc', commands], options)
}

/** Starts a command of a page that keeps running, as it is written. */
export function startPasted(
  folder: string,
  command: string,
  variables: Readonly<Record<string, string>>,
): RunningCommand {
  return startCommand(command, variables, folder, { ...ofThisMachine(), PATH: withNode() })
}

interface PnpmOptions extends Pick<NpmOptions, 'node'> {
  /** The files of packages that are not published yet, by name. */
  readonly instead?: Readonly<Record<string, string>>
}

/** @throws Error with the output of pnpm */
export async function pnpmAdd(
  folder: string,
  packages: readonly string[],
  { instead = {}, node }: PnpmOptions = {},
): Promise<void> {
  const overrides = Object.entries(instead).map(([name, file]) => [name, `file:${file}`])
  // YAML contains JSON.
  await writeFile(
    join(folder, 'pnpm-workspace.yaml'),
    JSON.stringify({ overrides: Object.fromEntries(overrides), verifyDepsBeforeRun: false }),
  )
  // Without the script of protobufjs, which pnpm reports and does not run.
  await install(folder, [await toolOf('pnpm'), 'add', '--ignore-scripts', '--prefer-offline', ...packages], { node })
}

async function install(
  folder: string,
  command: readonly [string, ...string[]],
  { node, variables = {} }: NpmOptions,
): Promise<void> {
  const { code, stdout, stderr } = await run(folder, command, { PATH: withNode(node), ...variables })
  if (code !== 0) throw new Error(`${stderr}\n${stdout}`)
}

/** All versions of Node, the third of which is that of the tests. */
export async function everyNode(): Promise<readonly [node20: string, node22: string, node24: string, node26: string]> {
  const folder = await installTools()
  const binary = (name: string) => join(folder, 'node_modules', name, 'bin', 'node')
  return [binary('node20'), binary('node22'), process.execPath, binary('node26')]
}

/** The command `lockerflow dev` of the packages in a folder, on free ports, and its addresses. */
export interface RunningDev {
  readonly command: RunningCommand
  readonly baseUrl: string
  /** For programs that connect to its Temporal. */
  readonly temporal: { readonly TEMPORAL_ADDRESS: string; readonly TEMPORAL_NAMESPACE: string }
}

export async function startDev(folder: string, variables: Readonly<Record<string, string>> = {}): Promise<RunningDev> {
  const start = `exec ${process.execPath} ${join(folder, 'node_modules', 'lockerflow', 'dist', 'lockerflow.js')} dev --ports auto`
  const command = startCommand(start, variables, folder)
  await command.line(/Everything is running/, startTimeout)
  const { baseUrl, temporal } = JSON.parse(await readFile(join(folder, '.lockerflow', 'dev.json'), 'utf8'))
  return { command, baseUrl, temporal: { TEMPORAL_ADDRESS: temporal.address, TEMPORAL_NAMESPACE: temporal.namespace } }
}

async function toolOf(name: string): Promise<string> {
  return join(await installTools(), 'node_modules', '.bin', name)
}

/** Installs the tools, once per machine. */
function installTools(): Promise<string> {
  const versions = [pnpmVersion, ...Object.values(otherNodes)]
  return cachedFolder(readEnvironment().cacheFolder, `package-tools-${versions.join('-')}`, async making => {
    await writePackage(making)
    const platform = `${process.platform}-${process.arch}`
    const nodes = Object.entries(otherNodes).map(([name, version]) => `${name}@npm:node-${platform}@${version}`)
    await npmInstall(making, [...nodes, `pnpm@${pnpmVersion}`])
  })
}

async function writePackage(folder: string): Promise<void> {
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
}

/** A Node comes first, so that npm and the installed commands run on it. */
function withNode(node = process.execPath): string {
  return [dirname(node), process.env.PATH].join(delimiter)
}

/** The environment of this machine, without the variables of `npm test` and the settings of programs. */
function ofThisMachine(): NodeJS.ProcessEnv {
  const added =
    /^(npm_(package|lifecycle|config_(local_)?prefix)|INIT_CWD|NODE_(ENV|OPTIONS|PATH)|VITEST|LOCKERFLOW|TEMPORAL)/
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !added.test(name)))
}
