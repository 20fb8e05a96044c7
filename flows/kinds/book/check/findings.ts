import type { Duration } from '#contract/terms'
import { bookings } from '#flows'
import type { BookStep } from '#flows/declaration'
import type { Finding } from '../../../check/fault.ts'
import { operationFindings } from '../../../check/references/values/requests.ts'
import { type StepContext, toMilliseconds } from '../../../check/references/values/windows.ts'

/** Services forget idempotency keys after a day. */
const maxBooking: Duration = '12h'

export function findings(context: StepContext, step: BookStep): Finding[] {
  const { window } = step
  const found = operationFindings(context, step, {
    field: 'book',
    names: Object.keys(bookings),
    kind: 'that books',
  })
  if (window === undefined || toMilliseconds(window) <= toMilliseconds(maxBooking)) return found
  const text = `must be at most ${maxBooking}, but it is ${window}.`
  return [...found, { at: [...context.at, 'window'], code: 'WindowTooLong', text }]
}
