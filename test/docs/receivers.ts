import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../platform/ports.ts'
import { guardChild } from '../../testing/temporal/serverProcess.ts'
import { eventually } from '../support/eventually.ts'

/** The command that runs a source file of one language. */
interface Runner {
  readonly file: string
  readonly prepare?: (path: string) => void
  readonly command: (path: string, port: number) => readonly [file: string, ...words: string[]]
}

const runners: Readonly<Record<string, Runner>> = {
  ts: { file: 'receiver.ts', command: path => [process.execPath, path] },
  python: { file: 'receiver.py', command: path => ['python3', path] },
  go: {
    file: 'receiver.go',
    prepare: path => execFileSync('go', ['build', '-o', `${path}.bin`, path], { stdio: 'ignore' }),
    command: path => [`${path}.bin`],
  },
  java: { file: 'Receiver.java', command: path => ['java', path] },
  php: { file: 'receiver.php', command: (path, port) => ['php', '-S', `127.0.0.1:${port}`, path] },
}

const versionArguments: Readonly<Record<string, readonly [string, ...string[]]>> = {
  python: ['python3', '--version'],
  go: ['go', 'version'],
  java: ['java', '-version'],
  php: ['php', '--version'],
}

/** The command that the machine lacks for a language, or undefined if the snippet can run. */
export function missingCommand(language: string): string | undefined {
  const [command, ...words] = versionArguments[language] ?? []
  if (command === undefined) return undefined
  try {
    execFileSync(command, words, { stdio: 'ignore' })
    return undefined
  } catch {
    return command
  }
}

export interface RunningReceiver {
  readonly url: string
  /** Lines that the program printed. */
  readonly output: () => string
  stop(): Promise<void>
}

/** Runs the source of a receiver as the page says, and waits until its port answers. */
export async function startSnippet(language: string, source: string, key?: string): Promise<RunningReceiver> {
  const runner = runners[language]
  if (runner === undefined) throw new Error(`no runner for ${language}`)
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-receiver-'))
  const path = join(folder, runner.file)
  await writeFile(path, source)
  runner.prepare?.(path)
  const port = await freePort('127.0.0.1')
  const [file, ...words] = runner.command(path, port)
  const child = spawn(file, words, { env: { ...process.env, CALLBACK_KEY: key, PORT: `${port}` } })
  guardChild(child, 1)
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  child.stderr.on('data', chunk => {
    output += chunk
  })
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}/`
  await eventually(async () => {
    if (child.exitCode !== null) {
      await rm(folder, { recursive: true })
      throw new Error(`the receiver ended: ${output}`)
    }
    return await fetch(url, { method: 'POST', body: '{}' }).then(
      () => true,
      () => undefined,
    )
  })
  return {
    url,
    output: () => output,
    async stop() {
      child.kill('SIGKILL')
      await exited
      await rm(folder, { recursive: true })
    },
  }
}
