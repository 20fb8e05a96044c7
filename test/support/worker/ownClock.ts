// Loaded into a process before its own code. It prints times by the clock of that process, so that a test can check the
// limits that the process promises on a machine with other work.
import { subscribe } from 'node:diagnostics_channel'
import { writeSync } from 'node:fs'
import { performance } from 'node:perf_hooks'

const requests = new WeakMap<object, number>()
let stopping: number | undefined

subscribe('http.server.request.start', message => {
  requests.set((message as { request: object }).request, performance.now())
})
subscribe('http.server.response.finish', message => {
  const began = requests.get((message as { request: object }).request)
  if (began !== undefined) print('response', began)
})
process.once('SIGTERM', () => {
  stopping = performance.now()
})
process.once('exit', () => {
  if (stopping !== undefined) print('stop', stopping)
})

function print(name: string, began: number): void {
  writeSync(1, `own clock: ${name} after ${Math.round(performance.now() - began)} ms\n`)
}
