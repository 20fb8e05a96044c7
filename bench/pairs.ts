/** Measurements of our code and of its baseline. They alternate, so that a busy moment hits both. */
export interface Pairs {
  readonly ours: readonly number[]
  readonly baseline: readonly number[]
  /** The median of our code divided by the median of the baseline. */
  readonly ratio: number
}

/** Measures each `rounds` times. The order changes with every round. */
export async function pairs(
  rounds: number,
  ours: () => Promise<number>,
  baseline: () => Promise<number>,
): Promise<Pairs> {
  const taken = { ours: [] as number[], baseline: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    const order = round % 2 === 0 ? (['ours', 'baseline'] as const) : (['baseline', 'ours'] as const)
    for (const which of order) taken[which].push(await { ours, baseline }[which]())
  }
  return { ...taken, ratio: median(taken.ours) / median(taken.baseline) }
}

export function median(numbers: readonly number[]): number {
  return quantile(numbers, 0.5)
}

/** The smallest number that is not exceeded by this share of them, from 0 to 1. */
export function quantile(numbers: readonly number[], share: number): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN
}
