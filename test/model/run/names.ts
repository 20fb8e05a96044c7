import { anyText, type Name } from '../model/model.ts'

const kinds = /^(shipment|user|object|code|mail|key) \d+$/

/** The mapping between the model's names and the real identifiers and codes. */
export class Names {
  readonly #real = new Map<Name, string>()
  readonly #names = new Map<string, Name>()

  bind(name: Name, real: string): void {
    this.#real.set(name, real)
    this.#names.set(real, name)
  }

  /** Replaces names by real identifiers, in a text or in all texts of a value. */
  real<Value>(value: Value): Value {
    return mapTexts(value, text => this.#real.get(text) ?? text) as Value
  }

  /** Replaces real identifiers by names, in a text or in all texts of a value. */
  named<Value>(value: Value): Value {
    return mapTexts(value, text => this.#names.get(text) ?? text) as Value
  }

  nameOf(real: string): Name | undefined {
    return this.#names.get(real)
  }

  /**
   * Replaces identifiers in the actual value by names. An unbound name in `expected` is bound to the identifier at the
   * same place, unless that identifier has a name already.
   */
  bindAll(expected: unknown, actual: unknown): unknown {
    if (typeof actual === 'string' && typeof expected === 'string') return this.#bindText(expected, actual)
    if (Array.isArray(actual)) {
      return actual.map((member, index) => this.bindAll(Array.isArray(expected) ? expected[index] : undefined, member))
    }
    if (actual === null || typeof actual !== 'object') return actual
    const wanted = (expected !== null && typeof expected === 'object' ? expected : {}) as Record<string, unknown>
    return Object.fromEntries(Object.entries(actual).map(([key, member]) => [key, this.bindAll(wanted[key], member)]))
  }

  #bindText(expected: string, actual: string): string {
    if (expected === anyText) return anyText
    if (!kinds.test(expected)) return this.#names.get(actual) ?? actual
    // The service reuses codes that are free.
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
