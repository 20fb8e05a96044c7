/** A clock that jumps from one timer to the next. Moments are in milliseconds since 1970. */
export class VirtualClock {
  #now: number
  #made = 0
  readonly #timers: Timer[] = []

  constructor(start: number) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  /** Calls `fire` at this moment, or at once if it has passed: always from `jump`. Timers of one moment keep their order. */
  at(moment: number, fire: () => void): Cancellable {
    const timer: Timer = { moment: Math.max(moment, this.#now), order: this.#made++, fire, isCancelled: false }
    this.#push(timer)
    return {
      cancel() {
        timer.isCancelled = true
      },
    }
  }

  /** The moment of the next timer; undefined without one. */
  next(): number | undefined {
    while (this.#timers[0]?.isCancelled) this.#pop()
    return this.#timers[0]?.moment
  }

  /** Goes to the next timer and fires it. */
  jump(): void {
    if (this.next() === undefined) return
    const timer = this.#pop()
    if (timer === undefined) return
    this.#now = timer.moment
    timer.fire()
  }

  /** Goes to a moment before the next timer. */
  skipTo(moment: number): void {
    const next = this.next()
    if (next !== undefined && next < moment) throw new Error('moment: must not be later than the next timer.')
    this.#now = Math.max(this.#now, moment)
  }

  #push(timer: Timer): void {
    const heap = this.#timers
    let at = heap.push(timer) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!isBefore(heap[at], heap[parent])) return
      swap(heap, at, parent)
      at = parent
    }
  }

  #pop(): Timer | undefined {
    const heap = this.#timers
    if (heap.length === 0) return undefined
    swap(heap, 0, heap.length - 1)
    const first = heap.pop()
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2]
      let least = at
      if (isBefore(heap[left], heap[least])) least = left
      if (isBefore(heap[right], heap[least])) least = right
      if (least === at) return first
      swap(heap, at, least)
      at = least
    }
  }
}

export interface Cancellable {
  cancel(): void
}

interface Timer {
  readonly moment: number
  readonly order: number
  readonly fire: () => void
  isCancelled: boolean
}

function isBefore(one: Timer | undefined, other: Timer | undefined): boolean {
  if (one === undefined || other === undefined) return false
  return one.moment === other.moment ? one.order < other.order : one.moment < other.moment
}

function swap(heap: Timer[], one: number, other: number): void {
  const kept = heap[one] as Timer
  heap[one] = heap[other] as Timer
  heap[other] = kept
}
