/** Random numbers that repeat for a seed (the generator sfc32). */
export class SeededRandom {
  readonly #state: Uint32Array

  constructor(seed: number) {
    this.#state = new Uint32Array([seed >>> 0, Math.floor(seed / 2 ** 32), 0x9e3779b9, 1])
    for (let round = 0; round < 12; round++) this.#uint32()
  }

  /** From 0 up to, and without, 1. */
  next(): number {
    return this.#uint32() / 2 ** 32
  }

  /** An integer from `least` up to, and without, `bound`. */
  integer(least: number, bound: number): number {
    return least + Math.floor(this.next() * (bound - least))
  }

  /** A UUID of version 4. */
  uuid(): `${string}-${string}-${string}-${string}-${string}` {
    const digits = Array.from({ length: 4 }, () => this.#uint32().toString(16).padStart(8, '0')).join('')
    const variant = (8 + (Number.parseInt(digits.slice(16, 17), 16) & 3)).toString(16)
    return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
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
