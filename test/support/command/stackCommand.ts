import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach } from 'vitest'
import { eventually } from '../eventually.ts'
import { bundleFile } from '../world/bundle.ts'

const dispatcher = join(import.meta.dirname, '..', '..', '..', 'cli', 'run.mjs')

/** The environment of this process without settings of lockerflow and Temporal, with those that a test gives. */
export function cleanEnvironment(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(LOCKERFLOW|TEMPORAL)_/.test(name))
  return { ...Object.fromEntries(others), ...settings }
}

/** An empty folder for each test, which is its current folder too. */
export function useFolder(): { readonly path: string } {
  const folder = { path: '' }
  const home = process.cwd()
  beforeEach(async () => {
    folder.path = await mkdtemp(join(tmpdir(), 'lockerflow-test-'))
    process.chdir(folder.path)
  })
  afterEach(async () => {
    process.chdir(home)
    await rm(folder.path, { recursive: true, force: true, maxRetries: 10 })
  })
  return folder
}

/** Returns a function that runs a command as npm does, in the current folder. A child that still runs after the test is killed. */
export function useCommands() {
  const started: ChildProcess[] = []
  afterEach(() => {
    for (const child of started.splice(0)) child.kill('SIGKILL')
  })
  return async (settings: Readonly<Record<string, string>>, words: readonly string[]) => {
    const bundle = { LOCKERFLOW_WORKFLOW_BUNDLE: await bundleFile() }
    const child = spawn(process.execPath, [dispatcher, ...words], {
      env: cleanEnvironment({ TMPDIR: process.cwd(), ...bundle, ...settings }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    started.push(child)
    let printed = ''
    child.stdout.on('data', chunk => {
      printed += String(chunk)
    })
    const ended = Promise.all([text(child.stderr), once(child, 'exit')]).then(([stderr, [code]]) => ({ code, stderr }))
    const prints = (line: string) =>
      eventually(() => {
        if (child.exitCode !== null) throw new Error(`${words[0]} ended without printing "${line}"`)
        return printed.includes(line)
      })
    return { child, ended, prints, printed: () => printed }
  }
}

/** The ids of all processes below one. */
export function descendants(pid: number | undefined): number[] {
  const rows = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = rows.map(row => row.trim().split(/\s+/).map(Number))
  const below = (parent: number | undefined): number[] =>
    pairs.filter(([, ppid]) => ppid === parent).flatMap(([child = 0]) => [child, ...below(child)])
  return below(pid)
}

/** Waits until none of the processes lives. */
export async function allEnded(family: readonly number[]): Promise<void> {
  await eventually(() => !family.some(isAlive))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
