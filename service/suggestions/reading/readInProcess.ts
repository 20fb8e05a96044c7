import { type ChildProcess, fork } from 'node:child_process'
import { on, once } from 'node:events'
import { realpathSync } from 'node:fs'
import { constants, getPriority, setPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { ErrorCode } from '#contract/terms'
import { OperationError } from '../../operationError.ts'
import type { ReadRequest, Slice, UploadedFile } from '../upload.ts'

/** The descriptor of the file in the child, after the three standard ones and the channel. */
export const fileDescriptor = 4

const main = fileURLToPath(new URL('./main.ts', import.meta.url))

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The folder of all installed packages, if this file is in a published one. */
const installed = /^.*?[\\/]node_modules(?=[\\/])/.exec(realpathSync(import.meta.dirname))?.[0]

/** The code that the child loads. The packages may be a link to another place. */
const code =
  installed === undefined
    ? [
        ...['package.json', 'service/*', 'contract/*', 'node_modules'].map(path => root + path),
        `${realpathSync(`${root}node_modules`)}/*`,
      ]
    : [`${installed}/*`]

/** The service and its store come first. More would let a busy machine exceed the timeout of a large file. */
const niceness = 5

const closeNetwork = new URL('./closeNetwork.ts', import.meta.url)

/**
 * Node's permission model: the child reads its code, and the file by its descriptor. It cannot open other files,
 * write, or start processes, workers and native code. The network, which the model leaves open, is closed before other code runs.
 */
export const permissions = [
  '--permission',
  ...code.map(path => `--allow-fs-read=${path}`),
  `--import=${closeNetwork.href}`,
]

/**
 * Options of a process that needs little memory. Rows are garbage at once, and would fill 50 MB of the young generation by default.
 * Optimized code of the parsers would be 12 MB, and three more threads 3 MB.
 */
const smallProcess = ['--max-semi-space-size=2', '--optimize-for-size', '--v8-pool-size=1']

/** With an arena of its own for each thread, the C library keeps up to 12 MB more. */
const smallAllocator = { MALLOC_ARENA_MAX: '1' }

/** Messages of the child: slices, each after a request for it, followed by `done`, or a refusal. */
export type ReaderMessage =
  | { readonly slice: Slice }
  | { readonly done: true }
  | { readonly refused: { readonly code: ErrorCode; readonly message: string } }

/**
 * Reads a file in a child process with its own heap limit and timeout, so that a malicious file cannot block or crash
 * the service. Not a worker thread: Node's TypeScript loader crashed the whole process after several
 * threads. Ending the iteration or aborting the signal kills the child.
 * @throws OperationError InvalidImportType, InvalidHeader, InvalidRequest
 */
export async function* readInProcess(
  file: UploadedFile,
  reading: ReadRequest,
  signal: AbortSignal,
): AsyncGenerator<Slice> {
  const timeout = new AbortController()
  const clearTimer = startTimer(reading.limits.timeout, () => timeout.abort())
  // The environment of the service contains secrets, and the child needs none of it.
  const child = fork(main, {
    serialization: 'advanced',
    execArgv: [`--max-old-space-size=${reading.limits.heap}`, ...smallProcess, ...permissions],
    env: smallAllocator,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', file.handle.fd],
  })
  const exited = once(child, 'exit')
  exited.catch(() => undefined)
  lowerPriority(child)
  try {
    const options = { close: ['disconnect'], signal: AbortSignal.any([signal, timeout.signal]) }
    const messages = on(child, 'message', options) as AsyncIterable<[ReaderMessage]>
    // A failed send shows as the exit of the child.
    child.send(reading, () => undefined)
    for await (const [message] of messages) {
      // The first message arrives when the file is read; the timeout excludes the inserts.
      clearTimer()
      if ('refused' in message) throw new OperationError(message.refused.code, message.refused.message)
      if ('done' in message) return
      // The child prepares the next slice while this one is stored.
      child.send('next', () => undefined)
      yield message.slice
    }
    await exited
    if (ranOutOfMemory(child)) throw new OperationError('InvalidRequest', 'The file needs too much memory to be read.')
    throw new Error(`the process that reads a file exited without a message: ${child.signalCode ?? child.exitCode}`)
  } catch (error) {
    if (timeout.signal.aborted) throw new OperationError('InvalidRequest', 'The file takes too long to read.')
    if (signal.aborted) throw new OperationError('InvalidRequest', 'The upload was aborted.')
    throw error
  } finally {
    clearTimer()
    child.kill('SIGKILL')
    await exited.catch(() => undefined)
  }
}

/** Milliseconds. A timer that is later shows that this process was suspended, and read no message of the child. */
const maxTimerDelay = 1_000

/** Calls `onTimeout` after `limit` milliseconds. If this process was suspended meanwhile, it waits for them once more. */
function startTimer(limit: number, onTimeout: () => void): () => void {
  let timer: NodeJS.Timeout
  const start = () => {
    const due = performance.now() + limit
    timer = setTimeout(() => (performance.now() - due > maxTimerDelay ? start() : onTimeout()), limit)
  }
  start()
  return () => clearTimeout(timer)
}

function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) setPriority(pid, Math.min(getPriority() + niceness, constants.priority.PRIORITY_LOW))
  } catch {
    // The reader has ended, or the system does not allow it. Priority is not needed for the result.
  }
}

/** Node aborts when its heap is full; an operating system short of memory kills. */
function ranOutOfMemory({ signalCode }: ChildProcess): boolean {
  return signalCode === 'SIGABRT' || signalCode === 'SIGKILL'
}
