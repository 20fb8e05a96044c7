import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, tracingChannel } from 'node:diagnostics_channel'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'

// Records I/O besides the store's inside the work of transactions. The connections of the store's own pool are
// opened before the work begins.

const transaction = new AsyncLocalStorage<true>()
tracingChannel('lockerflow:transaction').start.bindStore(transaction, () => true)

/** True inside the work of a transaction. */
export function isInTransaction(): boolean {
  return transaction.getStore() === true
}

let found: Error[] = []

/** The I/O that was found since the last call. */
export function takeTransactionIo(): readonly string[] {
  const names = found.map(({ message }) => message)
  found = []
  return names
}

/** @throws Error if I/O was found since the last call */
export function assertNoTransactionIo(): void {
  const [first] = found
  const names = takeTransactionIo()
  if (first !== undefined) throw new Error(`I/O inside a transaction: ${names.join(', ')}`, { cause: first })
}

function record(what: string): void {
  if (isInTransaction()) found.push(new Error(what))
}

type AnyFunction = (this: unknown, ...args: unknown[]) => unknown

function watch(target: object, name: string, label: string): void {
  const methods = target as Record<string, AnyFunction>
  const original = methods[name]
  if (original === undefined) throw new Error(`${label} does not exist`)
  function watched(this: unknown, ...args: unknown[]): unknown {
    record(label)
    return Reflect.apply(original as AnyFunction, this, args)
  }
  // Keeps its properties, such as its form for `util.promisify`.
  methods[name] = Object.defineProperties(watched, Object.getOwnPropertyDescriptors(original))
}

// Not imported: a test that replaces the module would otherwise get the one that is loaded already.
const dns = process.getBuiltinModule('node:dns')
for (const name of ['lookup', 'resolve', 'resolve4', 'resolve6', 'reverse']) {
  watch(dns, name, `dns.${name}`)
  watch(dns.promises, name, `dns.promises.${name}`)
}
watch(Socket.prototype, 'connect', 'net.connect')
// Asynchronous functions only: Node.js reads modules that are loaded late by other functions.
const fs = process.getBuiltinModule('node:fs')
for (const name of ['access', 'mkdir', 'open', 'readdir', 'readFile', 'rename', 'rm', 'stat', 'unlink', 'writeFile']) {
  watch(fs, name, `fs.${name}`)
  watch(fs.promises, name, `fs.promises.${name}`)
}
const processes = process.getBuiltinModule('node:child_process')
for (const name of ['exec', 'execFile', 'fork', 'spawn']) watch(processes, name, `child_process.${name}`)
syncBuiltinESMExports()
// A request on an open connection connects nothing.
subscribe('undici:request:create', () => record('undici request'))
subscribe('http.client.request.start', () => record('http request'))
