import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { Socket as DatagramSocket } from 'node:dgram'
import { syncBuiltinESMExports } from 'node:module'
import { Server, Socket } from 'node:net'
import type { SeededRandom } from './random.ts'

/** Time and chance of a simulation, for the code that runs in it. */
export interface Ambient {
  now(): number
  readonly random: SeededRandom
}

const ambient = new AsyncLocalStorage<Ambient>()
let isInstalled = false

/**
 * Runs work that sees the time and the random numbers of a simulation, and that cannot open a socket. All other code of the
 * process keeps its own: only calls in the context of the work are redirected.
 */
export function runInside<Result>(inside: Ambient, work: () => Result): Result {
  if (!isInstalled) install()
  return ambient.run(inside, work)
}

function install(): void {
  isInstalled = true
  const { now } = Date
  const { random } = Math
  const { randomUUID, randomInt } = crypto
  Date.now = () => ambient.getStore()?.now() ?? now()
  Math.random = () => ambient.getStore()?.random.next() ?? random()
  crypto.randomUUID = options => ambient.getStore()?.random.uuid() ?? randomUUID(options)
  crypto.randomInt = ((...args: [number, number?]) => {
    const [first, second] = args
    const seeded = ambient.getStore()?.random
    if (seeded === undefined || typeof second === 'function') return Reflect.apply(randomInt, crypto, args)
    return second === undefined ? seeded.integer(0, first) : seeded.integer(first, second)
  }) as typeof randomInt
  // Named imports of `node:crypto` see the functions above from now on.
  syncBuiltinESMExports()
  // HTTP, TLS and `fetch` connect and listen through these, too.
  forbid(Socket.prototype, ['connect'])
  forbid(Server.prototype, ['listen'])
  forbid(DatagramSocket.prototype, ['bind', 'connect', 'send'])
}

/** A method throws for code of a simulation. */
function forbid<Name extends string>(prototype: Record<Name, unknown>, methods: readonly Name[]): void {
  for (const method of methods) {
    const open = prototype[method] as (...args: unknown[]) => unknown
    prototype[method] = function (this: unknown, ...args: unknown[]) {
      if (ambient.getStore() !== undefined) throw new Error('A simulation must not open a socket.')
      return Reflect.apply(open, this, args)
    }
  }
}
