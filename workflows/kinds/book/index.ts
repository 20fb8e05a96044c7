import type { PlannedBook } from '#flows'
import type { Kind } from '../kind.ts'
import { beginBooking, work } from './perform.ts'
import { hasBookingToUndo, undoBook } from './undo.ts'

export const book: Kind<PlannedBook> = {
  work,
  begin: beginBooking,
  isUndone: () => true,
  hasToUndo: hasBookingToUndo,
  undo: undoBook,
}
