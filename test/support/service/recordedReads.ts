import type { OperationName } from '#contract'
import type { AnyHandler } from '../../../service/operations/handler.ts'
import { handlers } from '../../../service/operations/index.ts'

/** The paths of the fields that a handler has read, such as `Details.ReferenceNo`. */
export type Reads = ReadonlySet<string>

/**
 * Wraps the handlers of this process: each gets a request that notes which fields are read. A field that is merely copied
 * to another object (by a spread, a rest or `Object.entries`) is not read yet, and its copy is not followed.
 */
export function recordReads(): { readonly reads: ReadonlyMap<string, Reads>; stop(): void } {
  const table = handlers as Record<string, AnyHandler<OperationName>>
  const originals = { ...table }
  const reads = new Map<string, Set<string>>()
  for (const [name, handler] of Object.entries(originals)) {
    const read = new Set<string>()
    reads.set(name, read)
    table[name] = withRecorder(handler, request => recorded(request, read, ''))
  }
  return { reads, stop: () => void Object.assign(table, originals) }
}

type Handler = AnyHandler<OperationName>

function withRecorder(handler: Handler, record: <Request>(request: Request) => Request): Handler {
  if (typeof handler === 'function') return (call, request) => handler(call, record(request))
  if ('steps' in handler) return { steps: (steps, request) => handler.steps(steps, record(request)) }
  return { ...handler, toShipment: request => handler.toShipment(record(request)) }
}

function recorded<Value>(value: Value, read: Set<string>, path: string): Value {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  // A copy describes each property before it gets it.
  const copied = new Set<string | symbol>()
  return new Proxy(value, {
    getOwnPropertyDescriptor(target, key) {
      copied.add(key)
      return Reflect.getOwnPropertyDescriptor(target, key)
    },
    get(target, key) {
      const field = `${path}${String(key)}`
      if (!copied.delete(key) && typeof key === 'string') read.add(field)
      return recorded(Reflect.get(target, key), read, `${field}.`)
    },
  })
}
