import fs from 'node:fs'
import type { DestinationStream } from 'pino'

/** Bytes of lines that share a write, and milliseconds for which a line waits for others. */
const sharedBytes = 8_192
const maxWait = 20
/** Characters of lines that wait for a reader that has stopped reading. Further lines are lost. */
const maxWaiting = 16 * 1_024 * 1_024
/** Milliseconds between two attempts at a full pipe, and attempts at the exit of the process. */
const retryInterval = 20
const exitAttempts = 50

const standardError = 2
const none = Buffer.alloc(0)

let shared: DestinationStream | undefined

/** Standard error, whose lines share writes. The exit of the process writes those that wait. */
export function standardErrorInSharedWrites(): DestinationStream {
  // All logs of a process: each would add a listener of its exit.
  shared ??= createSharedWrites(standardError)
  return shared
}

/**
 * Each write is a task for another thread, and lines are small. Lines that cannot be written, on a full disk or without a
 * reader, are lost: they must neither end the process nor keep it from ending.
 */
function createSharedWrites(fd: number): DestinationStream {
  let waiting = ''
  let rest: Buffer = none
  let isWriting = false
  let isFlushing = false

  function write(): void {
    if (isWriting) return
    if (rest.length === 0) {
      if (waiting === '') return
      rest = Buffer.from(waiting)
      waiting = ''
    }
    isWriting = true
    fs.write(fd, rest, (error, written) => {
      if (error?.code === 'EAGAIN') {
        setTimeout(retry, retryInterval)
        return
      }
      rest = error === null ? rest.subarray(written) : none
      isWriting = false
      if (rest.length > 0 || waiting.length >= sharedBytes) write()
      else if (waiting !== '') flushSoon()
    })
  }

  function retry(): void {
    isWriting = false
    write()
  }

  function flushSoon(): void {
    if (isFlushing) return
    isFlushing = true
    setTimeout(flush, maxWait)
  }

  function flush(): void {
    isFlushing = false
    write()
  }

  process.on('exit', () => {
    // Another thread still writes `rest`, unless only a part of it was written.
    writeNow(fd, Buffer.concat([isWriting ? none : rest, Buffer.from(waiting)]))
  })

  return {
    write(line) {
      if (waiting.length + line.length > maxWaiting) return
      waiting += line
      if (waiting.length >= sharedBytes) write()
      else flushSoon()
    },
  }
}

function writeNow(fd: number, bytes: Buffer): void {
  let rest = bytes
  for (let attempt = 1; rest.length > 0 && attempt <= exitAttempts; ) {
    try {
      rest = rest.subarray(fs.writeSync(fd, rest))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
      attempt++
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryInterval)
    }
  }
}
