// What the interpreter may ask of the lockers. The kinds of steps that book, await or cancel shipments, and what shows
// them, use the other files too.
export { toFailedAttempt } from './bookings.ts'
export { applyBufferedCallbacks, receiveCallback } from './callbacks.ts'
export { cancelLateBookings, hasLateBookings } from './lateBookings.ts'
export { sweepLateBookings, sweepRefused } from './lateSweep.ts'
export { dropCancelled, findBereft } from './neededShipments.ts'
export { confirmByPoll, pollHeldHints, pollOnHint, pollOnSchedule, startPolls } from './polls.ts'
export { findShipment } from './roles.ts'
export { answerOutage, markUndone, renameRoles, startBooking } from './shipments.ts'
