// Loaded into a process before its own code. It prints times by the clock of that process, so that a test can check the
// limits that the process promises on a machine with other work. The clock stands still while the machine does.
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { performance } from 'node:perf_hooks'
import { cpuTime } from '../slowness.ts'

/** Milliseconds between two samples, and those that one counts at most, unless its thread used the processor for longer. */
const period = 50
const longest = 100

const requests = new WeakMap<object, number>()
let stopping: number | undefined

let awake = 0
let last = { at: performance.now(), used: cpuTime() }

/** Milliseconds that this process had so far. */
function now(): number {
  const sample = { at: performance.now(), used: cpuTime() }
  awake += Math.min(sample.at - last.at, Math.max(longest, sample.used - last.used))
  last = sample
  return awake
}

setInterval(now, period).unref()

subscribe('http.server.request.start', message => {
  requests.set((message as { request: object }).request, now())
})
subscribe('http.server.response.finish', message => {
  const began = requests.get((message as { request: object }).request)
  if (began !== undefined) print('response', began)
})
process.once('SIGTERM', () => {
  stopping = now()
})
process.once('exit', () => {
  if (stopping !== undefined) print('stop', stopping)
})

function print(name: string, began: number): void {
  writeSync(1, `own clock: ${name} after ${Math.round(now() - began)} ms\n`)
}
