/**
 * Wilcoxon's signed-rank test of paired differences against a distribution that is symmetric about zero, as a standard
 * normal deviate. An outlier counts by its rank only, so a pause of the machine has little effect.
 */
export function signedRank(differences: readonly number[]): number {
  const ranked = differences.filter(one => one !== 0).toSorted((a, b) => Math.abs(a) - Math.abs(b))
  const count = ranked.length
  if (count === 0) return 0
  const positive = ranked.reduce((sum, one, at) => (one > 0 ? sum + at + 1 : sum), 0)
  const mean = (count * (count + 1)) / 4
  return (positive - mean) / Math.sqrt((mean * (2 * count + 1)) / 6)
}

/** The quantile of the values; 0.5 is the median. */
export function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? Number.NaN
}
