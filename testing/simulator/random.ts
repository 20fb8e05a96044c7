/** The bytes in hexadecimal digits. */
const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Random numbers that repeat for a seed (the generator sfc32). */
export class SeededRandom {
  readonly #state: Uint32Array

  constructor(seed: number) {
    this.#state = new Uint32Array([seed >>> 0, Math.floor(seed / 2 ** 32), 0x9e3779b9, 1])
    for (let round = 0; round < 12; round++) this.#uint32()
  }

  /** A number from 0, inclusive, to 1, exclusive. */
  next(): number {
    return this.#uint32() / 2 ** 32
  }

  /** An integer from `least`, inclusive, to `bound`, exclusive. */
  integer(least: number, bound: number): number {
    return least + Math.floor(this.next() * (bound - least))
  }

  /** A UUID of version 4. */
  uuid(): `${string}-${string}-${string}-${string}-${string}` {
    const first = this.#uint32()
    const second = (this.#uint32() & 0xffff0fff) | 0x4000
    const third = (this.#uint32() & 0x3fffffff) | 0x80000000
    const fourth = this.#uint32()
    return `${pair(first >>> 16)}${pair(first)}-${pair(second >>> 16)}-${pair(second)}-${pair(third >>> 16)}-${pair(third)}${pair(fourth >>> 16)}${pair(fourth)}`
  }

  #uint32(): number {
    const state = this.#state
    const [a = 0, b = 0, c = 0, counter = 0] = state
    const sum = (a + b + counter) | 0
    state[0] = b ^ (b >>> 9)
    state[1] = (c + (c << 3)) | 0
    state[2] = (((c << 21) | (c >>> 11)) + sum) | 0
    state[3] = counter + 1
    return sum >>> 0
  }
}

/** The last two bytes of an integer. */
function pair(integer: number): string {
  return `${hex[(integer >>> 8) & 255]}${hex[integer & 255]}`
}
