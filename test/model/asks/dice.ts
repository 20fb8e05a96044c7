/** The random numbers of one step. */
export class Dice {
  readonly #numbers: readonly number[]
  #next = 0

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers
  }

  below(count: number): number {
    const number = this.#numbers[this.#next % this.#numbers.length] ?? 0
    // When the numbers are used up they are used again, in another order.
    const round = Math.floor(this.#next / this.#numbers.length)
    this.#next += 1
    return round === 0 ? number % count : Math.floor(number / (7 * round)) % count
  }

  oneOf<Item>(items: readonly [Item, ...Item[]]): Item
  oneOf<Item>(items: readonly Item[]): Item | undefined
  oneOf<Item>(items: readonly Item[]): Item | undefined {
    return items[this.below(items.length)]
  }

  /** True once in this many times. */
  oneIn(count: number): boolean {
    return this.below(count) === count - 1
  }
}
