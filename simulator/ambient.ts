import { AsyncLocalStorage } from 'node:async_hooks'
import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { Socket } from 'node:net'
import type { SeededRandom } from './random.ts'

/** Time and chance of a simulation, for the code that runs in it. */
export interface Ambient {
  now(): number
  readonly random: SeededRandom
}

const ambient = new AsyncLocalStorage<Ambient>()
let isInstalled = false

/**
 * Runs work that sees the time and the random numbers of a simulation, and that cannot connect to anything. All other code
 * of the process keeps its own: only calls in the context of the work are redirected.
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
  const { connect } = Socket.prototype
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
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]) {
    if (ambient.getStore() !== undefined) throw new Error('A simulation must not open a socket.')
    return Reflect.apply(connect, this, args)
  } as typeof connect
}
