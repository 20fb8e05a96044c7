import type { Handling, Passing, Wires } from '#testing/stack'

/** Faults between the parts. Null ends a fault, and an absent one stays as it is. */
export interface FaultSettings {
  /**
   * - late: the gateway is unavailable until the fault ends; the service delivers then
   * - twice: every callback arrives twice
   * - outOfOrder: a callback arrives after the next one of its shipment, or when the fault ends
   * - lost: the service gets a success, and the gateway nothing
   */
  readonly callbacks?: 'late' | 'twice' | 'outOfOrder' | 'lost' | null
  /**
   * - slow: every response takes two seconds
   * - unreachable: every connection breaks
   * - a number: every response has this status
   */
  readonly service?: 'slow' | 'unreachable' | number | null
  /** stuck: no locker opens, neither for people nor by the API. */
  readonly door?: 'stuck' | null
}

/** Sets the faults between the parts, which last until they are ended. */
export interface Faults {
  readonly current: Required<FaultSettings>
  /** @throws TypeError that names the unknown fault, or the unknown word of a fault */
  set(faults: FaultSettings): void
  /** Ends all faults. */
  clear(): void
}

/** The words of each fault. */
const words: Readonly<Record<string, readonly unknown[]>> = {
  callbacks: ['late', 'twice', 'outOfOrder', 'lost'],
  service: ['slow', 'unreachable'],
  door: ['stuck'],
} satisfies Record<keyof FaultSettings, readonly unknown[]>

/** Milliseconds. */
const slowness = 2_000

const noFaults: Required<FaultSettings> = { callbacks: null, service: null, door: null }
const doorOperations = /\/(UnlockShipmentLocker|SimulateLockerAccess)$/
const stuck: Handling = {
  kind: 'answer',
  body: { success: false, error: 'UnlockFailed', message: 'The locker did not open: its door is stuck.' },
}

/** Injects faults at wires. */
export function createFaults({ toGateway, toService, toLockers }: Wires): Faults {
  let current = noFaults
  /** Callbacks that wait for the next one of their shipment, by shipment. */
  const waiting = new Map<string, () => void>()

  function handleCallback({ body }: Passing): Handling {
    switch (current.callbacks) {
      case 'late':
        return { kind: 'status', status: 503 }
      case 'twice':
        return { kind: 'repeat', times: 2 }
      case 'lost':
        return { kind: 'acknowledge' }
      case 'outOfOrder':
        return reorder(shipmentOf(body))
      default:
        return { kind: 'pass' }
    }
  }

  function reorder(shipment: string): Handling {
    const release = waiting.get(shipment)
    if (release !== undefined) {
      waiting.delete(shipment)
      return { kind: 'pass', after: release }
    }
    return { kind: 'acknowledge', until: new Promise<void>(resolve => waiting.set(shipment, resolve)) }
  }

  function handleRequest({ path }: Passing): Handling {
    const { service } = current
    if (service === 'unreachable') return { kind: 'cut' }
    if (typeof service === 'number') return { kind: 'status', status: service }
    if (current.door === 'stuck' && doorOperations.test(path)) return stuck
    if (service !== 'slow') return { kind: 'pass' }
    return { kind: 'answerLater', until: new Promise(resolve => setTimeout(resolve, slowness)) }
  }

  function releaseAll(): void {
    for (const release of waiting.values()) release()
    waiting.clear()
  }

  toGateway.rule = handleCallback
  toService.rule = handleRequest
  toLockers.rule = ({ path }) => (current.door === 'stuck' && doorOperations.test(path) ? stuck : { kind: 'pass' })

  return {
    get current() {
      return current
    },
    set(faults) {
      requireKnown(faults)
      const given = Object.entries(faults).filter(([, word]) => word !== undefined)
      current = { ...current, ...Object.fromEntries(given) }
      if (current.callbacks !== 'outOfOrder') releaseAll()
    },
    clear() {
      current = noFaults
      releaseAll()
    },
  }
}

function requireKnown(faults: FaultSettings): void {
  for (const [name, word] of Object.entries(faults)) {
    const known = words[name]
    if (known === undefined) throw new TypeError(`${name}: must be one of ${Object.keys(words).join(', ')}.`)
    const isStatus = name === 'service' && Number.isInteger(word) && word >= 200 && word <= 599
    if (isStatus || word === null || word === undefined || known.includes(word)) continue
    const status = name === 'service' ? 'a status from 200 to 599, ' : ''
    throw new TypeError(`${name}: must be ${status}${known.join(', ')} or null, got ${JSON.stringify(word)}.`)
  }
}

function shipmentOf(body: string): string {
  return /"shipmentUid":"([^"]*)"/.exec(body)?.[1] ?? ''
}
