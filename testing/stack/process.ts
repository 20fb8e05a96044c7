import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { ApiSettings } from '#contract/client'
import type { Part, TemporalPlace } from './stack.ts'

/** A part in a process of its own, as its users start it. */
export interface ProcessPart extends Part {
  readonly child: ChildProcess
  readonly pid: number
}

export interface ProcessOptions {
  /** The whole environment of the process. */
  readonly env: NodeJS.ProcessEnv
  /** The folder of the sources; by default that of this file. */
  readonly clone?: string
  /** The file to run there, with its arguments; by default the one that users run. */
  readonly program?: readonly string[]
  /** A command that runs the program in its arguments, with its own process id. */
  readonly command?: readonly string[]
  /** Receives all lines, or lets this process print those of the log. Both are discarded by default. */
  readonly lines?: 'inherit' | ((line: string) => void)
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Starts a part in a process of its own, and waits until it is ready. @throws Error if it ends before */
export async function startProcess(
  name: 'service' | 'gateway' | 'worker',
  { env, clone = root, program: file = [`${name}/main.ts`], command = [], lines }: ProcessOptions,
): Promise<ProcessPart> {
  const [program = '', ...args] = [...command, process.execPath, ...file]
  const log = typeof lines === 'function' ? 'pipe' : (lines ?? 'ignore')
  const child = spawn(program, args, { cwd: clone, env, stdio: ['ignore', 'pipe', log] })
  const exited = once(child, 'exit')
  const ended = exited.then(([code]) => {
    throw new Error(`the ${name} ended with ${code}`)
  })
  ended.catch(() => undefined)
  const output = createInterface(child.stdout as Readable)
  if (typeof lines === 'function') {
    output.on('line', lines)
    createInterface(child.stderr as Readable).on('line', lines)
  }
  const ready = new Promise<string>(resolve => {
    output.on('line', line => {
      if (line.startsWith(`${name} ready`)) resolve(line)
    })
  })
  const line = await Promise.race([ready, ended])
  if (typeof lines !== 'function') {
    // To split later output into lines would take time of the processors that others measure.
    output.close()
    child.stdout?.resume()
  }
  return {
    child,
    pid: child.pid ?? 0,
    address: /http:\/\/[\d.:]+/.exec(line)?.[0] ?? '',
    async stop() {
      child.kill('SIGTERM')
      await exited
    },
  }
}

/** The variables of a gateway or worker that name its service and its Temporal. */
export function toVariables(
  { baseUrl, authUrl, clientId, clientSecret }: ApiSettings,
  { address, namespace }: TemporalPlace,
): NodeJS.ProcessEnv {
  return {
    TEMPORAL_ADDRESS: address,
    TEMPORAL_NAMESPACE: namespace,
    LOCKERFLOW_BASE_URL: baseUrl,
    LOCKERFLOW_AUTH_URL: authUrl,
    LOCKERFLOW_CLIENT_ID: clientId,
    LOCKERFLOW_CLIENT_SECRET: clientSecret,
  }
}
