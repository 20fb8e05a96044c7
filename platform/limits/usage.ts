/** Counts what each key has in use: places, bytes or requests. A key with nothing in use takes no memory. */
export interface Usage {
  /** Of all keys. */
  readonly total: number
  of(key: string): number
  /** Begins a use. @returns a function that ends it, at its first call */
  begin(key: string, amount?: number): () => void
}

export function createUsage(): Usage {
  const amounts = new Map<string, number>()
  let total = 0

  function add(key: string, amount: number): void {
    total += amount
    const left = (amounts.get(key) ?? 0) + amount
    if (left === 0) amounts.delete(key)
    else amounts.set(key, left)
  }

  return {
    get total() {
      return total
    },
    of: key => amounts.get(key) ?? 0,
    begin(key, amount = 1) {
      add(key, amount)
      let used = amount
      return () => {
        add(key, -used)
        used = 0
      }
    },
  }
}
