import { z } from 'zod'

/**
 * A whole number in decimal digits, as a variable's schema.
 * @param wrong the error; by default it names the range
 */
export function wholeNumber({
  from,
  to,
  wrong = `must be a whole number from ${from} to ${to}`,
}: {
  readonly from: number
  readonly to: number
  readonly wrong?: string
}) {
  return z
    .string()
    .regex(/^\d{1,9}$/, wrong)
    .transform(Number)
    .refine(value => value >= from && value <= to, wrong)
}

/**
 * The port of a listener.
 * @param from 0 if the process may choose a free one
 */
export function port(from: 0 | 1) {
  return wholeNumber({ from, to: 65_535, wrong: `must be a port from ${from} to 65535` })
}
