/**
 * Parameters of a property test. A failure prints its seed; LOCKERFLOW_TEST_SEED repeats it.
 * @throws Error when the variable is not a whole number
 */
export function seeded(numRuns: number): { numRuns: number; seed: number } {
  const given = process.env.LOCKERFLOW_TEST_SEED
  const seed = given ? Number(given) : Math.floor(Math.random() * 2 ** 31)
  if (!Number.isSafeInteger(seed)) throw new Error(`LOCKERFLOW_TEST_SEED must be a whole number, not ${given}`)
  return { numRuns, seed }
}
