import { anyText, type Name } from '../model/model.ts'

const kinds = /^(shipment|user|object|code|mail|key) \d+$/

/** Which real identifier or code each name of the model stands for. */
export class Names {
  readonly #real = new Map<Name, string>()
  readonly #names = new Map<string, Name>()

  bind(name: Name, real: string): void {
    this.#real.set(name, real)
    this.#names.set(real, name)
  }

  /** A text or anything that has texts in it, with real identifiers instead of names. */
  real<Value>(value: Value): Value {
    return mapTexts(value, text => this.#real.get(text) ?? text) as Value
  }

  /** The same the other way round. */
  named<Value>(value: Value): Value {
    return mapTexts(value, text => this.#names.get(text) ?? text) as Value
  }

  nameOf(real: string): Name | undefined {
    return this.#names.get(real)
  }

  /**
   * The actual value with names instead of what they stand for. A name of `expected` that stands for nothing yet
   * stands for what is at its place from then on, unless that has a name already.
   */
  learn(expected: unknown, actual: unknown): unknown {
    if (typeof actual === 'string' && typeof expected === 'string') return this.#learnText(expected, actual)
    if (Array.isArray(actual)) {
      return actual.map((member, index) => this.learn(Array.isArray(expected) ? expected[index] : undefined, member))
    }
    if (actual === null || typeof actual !== 'object') return actual
    const wanted = (expected !== null && typeof expected === 'object' ? expected : {}) as Record<string, unknown>
    return Object.fromEntries(Object.entries(actual).map(([key, member]) => [key, this.learn(wanted[key], member)]))
  }

  #learnText(expected: string, actual: string): string {
    if (expected === anyText) return anyText
    if (!kinds.test(expected)) return this.#names.get(actual) ?? actual
    // Codes are used again when they are free.
    const isFree = !this.#names.has(actual) || expected.startsWith('code ')
    if (!this.#real.has(expected) && isFree) this.bind(expected, actual)
    return this.#real.get(expected) === actual ? expected : (this.#names.get(actual) ?? actual)
  }
}

function mapTexts(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value)
  if (Array.isArray(value)) return value.map(member => mapTexts(member, map))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapTexts(member, map)]))
}
