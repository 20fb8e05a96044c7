import { execFile, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { readEnvironment as environment } from './environment.ts'
import type { Tarball } from './pack.ts'
import { readProgram, shopPackages, writeShop } from './shop.ts'

/**
 * Prints how long a service and a whole stack take to start, in milliseconds of the clock and of this process. A start that
 * misses its bar on a busy machine is repeated, and the best one counts.
 */
export const starts = `import { startLockers, startService } from '@lockerflow/testing'

const attempts = 4

async function measure(start) {
  const [clock, before] = [performance.now(), process.cpuUsage()]
  await using started = await start()
  const { user, system } = process.cpuUsage(before)
  return { clock: performance.now() - clock, processor: (user + system) / 1000 }
}
async function best(start, bar) {
  const all = []
  while (all.length < attempts && !all.some(({ clock }) => clock < bar)) all.push(await measure(start))
  const least = name => Math.min(...all.map(each => each[name]))
  return { clock: least('clock'), processor: least('processor') }
}
// The first one loads the code.
await measure(startService)
console.log(JSON.stringify({ service: await best(startService, 500), lockers: await best(startLockers, 5_000) }))
`

const temporal = '@temporalio/client@1.24.0'

/** Prints the costs of an import beside Temporal's client, in milliseconds of the processor. */
const load = `await import('@temporalio/client')
const before = process.cpuUsage()
await import('@lockerflow/client')
const { user, system } = process.cpuUsage(before)
console.log((user + system) / 1000)
`

/**
 * Prints what the packages cost in empty folders: installed packages, disk, import, the check by the compiler, and the time
 * up to the first booking. Temporal's command must have been built, or is built within that time.
 */
export async function printSizes(tarballs: readonly Tarball[], print: (line: string) => void): Promise<void> {
  const fileOf = (name: string) => tarballs.find(each => each.name === name)?.file ?? ''
  const beside = await install([temporal])
  const client = await install([temporal, fileOf('@lockerflow/client')])
  const everything = await install([temporal, fileOf('lockerflow')])
  const testing = await install([fileOf('@lockerflow/testing'), fileOf('lockerflow')])
  const others = [
    ['@lockerflow/client', client],
    ['lockerflow', everything],
    ['@lockerflow/api', await install([fileOf('@lockerflow/api')])],
    ['@lockerflow/testing', testing],
  ] as const
  try {
    print(`@temporalio/client alone: ${beside.count} packages, ${beside.megabytes} MB`)
    for (const [name, { count, megabytes, seconds }] of others)
      print(
        `${name}: ${count} packages, ${count - beside.count} beside Temporal's client, ${megabytes} MB, ${seconds} s`,
      )
    await writeFile(join(client.folder, 'load.js'), load)
    const times: number[] = []
    for (let i = 0; i < 5; i++) times.push(Number(await run(client.folder, [process.execPath, 'load.js'])))
    print(`import of @lockerflow/client beside Temporal's: ${Math.min(...times).toFixed(0)} ms of the processor`)
    await npmInstall(client.folder, shopPackages)
    await writeShop(join(client.folder, 'shop'))
    print(`tsc --noEmit of a shop of four files: ${await checkShop(client.folder)}`)
    print(`start with @lockerflow/testing: ${await timeStarts(testing.folder)}`)
    print(`first booking after the installation: ${await book(everything.folder)}`)
  } finally {
    for (const folder of [beside.folder, ...others.map(([, each]) => each.folder)])
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Installs packages into an empty folder. */
async function install(names: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-sizes-'))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const start = performance.now()
  await npmInstall(folder, names)
  const seconds = Math.round((performance.now() - start) / 1_000)
  const lock = JSON.parse(await readFile(join(folder, 'node_modules', '.package-lock.json'), 'utf8'))
  const kilobytes = Number.parseInt(await run(folder, ['du', '-sk', 'node_modules']), 10)
  return { folder, seconds, count: Object.keys(lock.packages).length, megabytes: Math.round(kilobytes / 1_000) }
}

async function npmInstall(folder: string, names: readonly string[]): Promise<void> {
  await run(folder, ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', ...names])
}

/** The seconds of the processor and of the clock, and the faults without those of Temporal's own declarations. */
async function checkShop(folder: string): Promise<string> {
  const tsc = join(folder, 'node_modules', 'typescript', 'bin', 'tsc')
  const args = [tsc, '-p', 'shop', '--pretty', 'false', '--diagnostics']
  const options = { cwd: folder, env: environment() }
  // Its exit code is that of the faults in Temporal's declarations.
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(error => error)
  const [, seconds] = /Total time:\s+([\d.]+)s/.exec(stdout) ?? []
  const faults = stdout.split('\n').filter((line: string) => line.includes(': error '))
  const ours = faults.filter((line: string) => !line.includes('node_modules/@temporalio/'))
  return `${seconds} s, ${ours.length} faults of ours, ${faults.length - ours.length} of Temporal's`
}

async function timeStarts(folder: string): Promise<string> {
  await writeFile(join(folder, 'starts.js'), starts)
  const { service, lockers } = JSON.parse(await run(folder, [process.execPath, 'starts.js']))
  const seconds = (milliseconds: number) => (milliseconds / 1_000).toFixed(2)
  return `a service in ${seconds(service.clock)} s, a stack in ${seconds(lockers.clock)} s`
}

/** Starts everything in a folder, and runs the program of the project's page. */
async function book(folder: string): Promise<string> {
  const start = performance.now()
  const command = join(folder, 'node_modules', '.bin', 'lockerflow')
  const dev = spawn(command, ['dev', '--ports', 'auto'], {
    cwd: folder,
    env: environment(),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    for await (const line of createInterface(dev.stdout)) if (line.includes('Everything is running')) break
    const { temporal: started } = JSON.parse(await readFile(join(folder, '.lockerflow', 'dev.json'), 'utf8'))
    await writeFile(join(folder, 'book.ts'), await readProgram('.'))
    const running = performance.now()
    const printed = await run(folder, [process.execPath, 'book.ts'], { TEMPORAL_ADDRESS: started.address })
    const seconds = (end: number, from: number) => ((end - from) / 1_000).toFixed(1)
    return `${printed.trim()}, ${seconds(running, start)} s until everything runs, ${seconds(performance.now(), running)} s for the program`
  } finally {
    dev.kill('SIGTERM')
    await new Promise(resolve => dev.once('exit', resolve))
  }
}

async function run(
  folder: string,
  [program, ...args]: readonly [string, ...string[]],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { cwd: folder, env: { ...environment(), ...variables } })
  return stdout
}
