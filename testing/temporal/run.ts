import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { LinesError } from '#contract/terms'
import { environmentWith } from '#platform/environment'
import { guardChild } from './serverProcess.ts'

export type RunOptions = {
  timeoutMs: number
  environment?: Record<string, string>
  /** Working directory. The current one if absent. */
  folder?: string
  /** Receives every line of output. */
  onLine?: (line: string) => void
}

const keptLines = 12

/**
 * Runs a command to its end and returns its last lines.
 * @throws Error with the last lines if the command fails, is missing or exceeds its timeout
 */
export function run(command: string, args: readonly string[], options: RunOptions): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: environmentWith(options.environment),
    cwd: options.folder,
    // Not `timeout`: if the command is missing, Node leaves that timer running and the process waits for it.
    signal: AbortSignal.timeout(options.timeoutMs),
    killSignal: 'SIGKILL',
  })
  guardChild(child, 1)
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
    else if (error.name === 'AbortError') reject(new Error(`${command} ${timeoutText(options.timeoutMs)}`))
    else reject(error)
  })
  child.once('close', (code, signal) => {
    if (code === 0) return resolve(lines.join('\n'))
    const [first = '', ...others] = lines
    reject(new LinesError([`${command} ${endText(code, signal, options.timeoutMs)}: ${first}`, ...others]))
  })
  return promise
}

function endText(code: number | null, signal: string | null, timeoutMs: number): string {
  if (signal === 'SIGKILL') return timeoutText(timeoutMs)
  return code === null ? `was ended by ${signal}` : `failed with exit code ${code}`
}

function timeoutText(timeoutMs: number): string {
  return `did not end within ${timeoutMs / 1000} s`
}
