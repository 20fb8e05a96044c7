import type { Kind } from '../kind.ts'
import type { BookStep, PlannedBook } from './step.ts'

export const book: Kind<BookStep, PlannedBook> = {
  end: ({ window }) => window,
  describe: step => `Operation ${step.book}.`,
  plan(step, planning) {
    const request = planning.bookingRequest(step.book, step.request)
    const roles = planning.roles(step, request)
    return { kind: 'book', operation: step.book, request, roles, window: planning.length(step.window) }
  },
}
