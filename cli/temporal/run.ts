import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { childEnvironment } from '../environment.ts'

/** How a command is run. */
export type RunOptions = {
  timeoutMs: number
  environment?: Record<string, string>
  /** Where it is run; here unless given. */
  folder?: string
  /** Called with every line of output as it comes. */
  onLine?: (line: string) => void
}

const keptLines = 12

/** Runs a command to its end and answers its last lines; an unsuccessful end is an error that holds them. */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: childEnvironment(options.environment ?? {}),
    cwd: options.folder,
    // Not `timeout`: when there is no such command, Node leaves that timer running and the process waits for it.
    signal: AbortSignal.timeout(options.timeoutMs),
    killSignal: 'SIGKILL',
  })
  const lines: string[] = []
  for (const stream of [child.stdout, child.stderr]) {
    createInterface(stream).on('line', line => {
      lines.push(line)
      if (lines.length > keptLines) lines.shift()
      options.onLine?.(line)
    })
  }
  child.once('error', error => {
    if ('code' in error && error.code === 'ENOENT') reject(new Error(`no command ${command} found`))
    else if (error.name === 'AbortError') reject(new Error(`${command} ${tooSlow(options.timeoutMs)}`))
    else reject(error)
  })
  child.once('close', (code, signal) => {
    if (code === 0) resolve(lines.join('\n'))
    else reject(new Error(`${command} ${ending(code, signal, options.timeoutMs)}: ${lines.join('\n')}`))
  })
  return promise
}

function ending(code: number | null, signal: string | null, timeoutMs: number): string {
  if (signal === 'SIGKILL') return tooSlow(timeoutMs)
  return code === null ? `was ended by ${signal}` : `failed with exit code ${code}`
}

function tooSlow(timeoutMs: number): string {
  return `did not end within ${timeoutMs / 1000} s`
}
