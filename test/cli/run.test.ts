import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { childEnvironment } from '../support/childEnvironment.ts'
import { eventually } from '../support/eventually.ts'

const root = join(import.meta.dirname, '..', '..')
const dispatcher = readFileSync(join(root, 'cli', 'run.mjs'), 'utf8')

/** Stands in for the program: writes its process id and its arguments, then does what the argument after the verb says. */
const program = `
import { writeFileSync } from 'node:fs'
const [, what, value] = process.argv.slice(2)
if (what === 'exit') process.exit(Number(value))
if (what === 'echo') console.log(JSON.stringify({ args: process.argv.slice(2), node: process.execPath }))
if (what === 'wait') {
  const heard = []
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {
    heard.push(signal)
    if (heard.length === 1) setTimeout(() => { console.log(heard.join()); process.exit(7) }, 300)
  })
  setInterval(() => undefined, 1_000)
  writeFileSync('pid', String(process.pid))
}
`

let folder: string
const started: ChildProcess[] = []

/** A clone whose lock file needs no package. */
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
  await mkdir(join(folder, 'cli'))
  await mkdir(join(folder, 'testing', 'temporal'), { recursive: true })
  for (const file of ['cli/run.mjs', 'cli/install.mjs', 'testing/temporal/guard.sh']) {
    await copyFile(join(root, file), join(folder, file))
  }
  await writeFile(join(folder, 'cli', 'lockerflow.ts'), program)
  const manifest = { name: 'clone', version: '1.0.0', type: 'module' }
  const scripts = { dev: 'node cli/run.mjs dev' }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, scripts }))
  const lock = { ...manifest, lockfileVersion: 3, requires: true, packages: { '': manifest } }
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
})

afterEach(async () => {
  for (const child of started.splice(0)) child.kill('SIGKILL')
  await rm(folder, { recursive: true, force: true })
})

async function installPackages({ withNode = true } = {}) {
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, '.bin'), { recursive: true })
  await writeFile(join(modules, '.package-lock.json'), JSON.stringify({ packages: {} }))
  if (withNode) await symlink(process.execPath, join(modules, '.bin', 'node'))
}

function run(args: readonly string[], { nodeVersion = process.versions.node } = {}) {
  const versions = JSON.stringify({ ...process.versions, node: nodeVersion })
  const preload = `data:text/javascript,Object.defineProperty(process, 'versions', { value: ${versions} })`
  const child = spawn(process.execPath, ['--import', preload, join(folder, 'cli', 'run.mjs'), ...args], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]).then(
    ([stdout, stderr, [code, signal]]) => ({ stdout, stderr, code, signal }),
  )
  return { child, ended }
}

async function runWaiting() {
  const running = run(['dev', 'wait'])
  const file = join(folder, 'pid')
  return { ...running, pid: await writtenPid(file) }
}

/** The process id in a file, which exists for a moment before it has its content. */
function writtenPid(file: string): Promise<number> {
  return eventually(() => (existsSync(file) ? Number(readFileSync(file, 'utf8')) || undefined : undefined))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('package.json has one line for each command, and the dispatcher a file for each', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  expect(scripts).toEqual(Object.fromEntries(Object.keys(scripts).map(name => [name, `node cli/run.mjs ${name}`])))
  const files = Array.from(dispatcher.matchAll(/'([^']+\.ts)'/g), ([, file = '']) => file)
  expect(files.length).toBeGreaterThan(10)
  expect(files.filter(file => !existsSync(join(root, file)))).toEqual([])
})

test('every script of package.json is a command', async () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const { code, stderr } = await run(['unknown']).ended
  expect(code).toBe(1)
  expect(stderr).toBe(
    `usage: node cli/run.mjs <command> [arguments], where <command> is one of ${Object.keys(scripts).join(', ')}\n`,
  )
})

test.each(['--help', '-h'])('npm test with %s prints the options of vitest and runs no test', async flag => {
  // A filter without a file, so that a run would end at once, with the count as its last line.
  const child = spawn(process.execPath, ['test/main.ts', flag, 'no-such-file'], { cwd: root })
  started.push(child)
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
  expect(stdout).toContain('--testNamePattern')
  expect(stdout).not.toMatch(/\d failed/)
  expect(code).toBe(0)
})

describe('with installed packages', () => {
  beforeEach(() => installPackages())

  test("runs a command with the project's own Node and passes the arguments", async () => {
    const { stdout, code } = await run(['dev', 'echo', '--flag', 'a b'], { nodeVersion: '14.14.0' }).ended
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ args: ['dev', 'echo', '--flag', 'a b'], node: process.execPath })
  })

  test('ends with the exit code of the command', async () => {
    expect(await run(['dev', 'exit', '42']).ended).toMatchObject({ code: 42, signal: null })
  })

  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('passes %s once and waits for the end', async signal => {
    const { child, ended } = await runWaiting()
    child.kill(signal)
    child.kill(signal)
    expect(await ended).toMatchObject({ stdout: `${signal}\n`, code: 7 })
  })

  test('ends by the signal that ended the command', async () => {
    const { ended, pid } = await runWaiting()
    process.kill(pid, 'SIGKILL')
    expect(await ended).toMatchObject({ code: null, signal: 'SIGKILL' })
  })

  test.each(['SIGTERM', 'SIGHUP', 'SIGKILL'] as const)('ends the command when %s ends npm', async signal => {
    const npm = spawn('npm', ['run', 'dev', '--', 'wait'], { cwd: folder, stdio: 'ignore' })
    started.push(npm)
    const file = join(folder, 'pid')
    const pid = await writtenPid(file)
    npm.kill(signal)
    await eventually(() => !isAlive(pid))
  })

  test('leaves no command behind when it is killed by SIGKILL', async () => {
    const { child, pid } = await runWaiting()
    child.kill('SIGKILL')
    await eventually(async () => !isAlive(pid))
  })
})

test.skipIf(process.platform === 'win32').each([
  ['npm', 'ends', { npm_lifecycle_event: 'npx' }],
  ['another program', 'stays', {}],
])('when a shell of %s has ended, a verb of the package %s', async (_, expected, environment) => {
  const settings = { LOCKERFLOW_SERVICE_PORT: '0', LOCKERFLOW_DATABASE_URL: `file:${join(folder, 'service.db')}` }
  // With a further command, every shell starts a process for the first one.
  const shell = spawn('sh', ['-c', `'${process.execPath}' cli/lockerflow.ts service --json; true`], {
    cwd: root,
    env: { ...childEnvironment, ...settings, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void (shell.pid && isAlive(-shell.pid) && process.kill(-shell.pid, 'SIGKILL')))
  await once(shell.stdout, 'data')
  const closed = once(shell.stdout, 'close').then(() => 'ends')
  shell.stdout.resume()
  shell.kill('SIGTERM')
  await once(shell, 'exit')
  const stays = delay(3_000, 'stays')
  expect(await Promise.race(expected === 'ends' ? [closed] : [closed, stays])).toBe(expected)
})

test('installs the packages first, and stops when npm fails', async () => {
  await mkdir(join(folder, 'part'))
  const part = { name: 'part', version: '1.0.0' }
  await writeFile(join(folder, 'part', 'package.json'), JSON.stringify(part))
  const manifest = { name: 'clone', version: '1.0.0', type: 'module', dependencies: { part: 'file:part' } }
  const packages = { '': manifest, part, 'node_modules/part': { resolved: 'part', link: true } }
  const lock = { name: 'clone', version: '1.0.0', lockfileVersion: 3, requires: true, packages }
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest))
  await writeFile(join(folder, 'package-lock.json'), JSON.stringify(lock))
  const { stderr, stdout } = await run(['dev', 'echo']).ended
  expect(stderr).toContain('Installing packages with npm ci: there is no node_modules.')
  expect(stdout).toContain('"echo"')
  await writeFile(join(folder, 'package.json'), JSON.stringify({ ...manifest, dependencies: { part: 'file:gone' } }))
  await rm(join(folder, 'node_modules'), { recursive: true })
  const failed = await run(['dev', 'echo']).ended
  expect(failed.code).toBe(1)
  expect(failed.stderr).toContain('npm ci failed')
  expect(failed.stdout).not.toContain('"echo"')
})

test.each(['24.0.0', '26.10.0'])(
  "a project without a Node of its own runs on the machine's Node %s",
  async nodeVersion => {
    await installPackages({ withNode: false })
    expect(await run(['dev', 'exit', '0'], { nodeVersion }).ended).toMatchObject({ code: 0, stderr: '' })
  },
)

describe('on an old Node', () => {
  test('a project without a Node of its own says how to get one', async () => {
    await installPackages({ withNode: false })
    const { stderr, code } = await run(['dev'], { nodeVersion: '20.20.2' }).ended
    expect(code).toBe(1)
    expect(stderr).toContain('lockerflow runs on Node 24 or 26, and this is Node 20.20.2.')
    expect(stderr).toContain(
      'Run npm ci --include=dev --ignore-scripts=false, or install Node 24 or 26 from https://nodejs.org.',
    )
  })

  test('that cannot even install the packages, the way out is a newer Node', async () => {
    const { stderr, code } = await run(['demo'], { nodeVersion: '14.13.1' }).ended
    expect(code).toBe(1)
    expect(stderr).toBe(
      'lockerflow runs on Node 24 or 26, and this is Node 14.13.1. Install Node 24 or 26 from https://nodejs.org, then run this command again.\n',
    )
  })
})
