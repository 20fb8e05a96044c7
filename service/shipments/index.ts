// The shipment on the store: booking, the one place where its state changes, access codes, wrong pin codes.
// Imported by the service's operations.
export { advance } from './advance.ts'
export { countWrongCode, forgetWrongCodes, refuseLocked } from './attempts.ts'
export { type Booking, book } from './booking.ts'
export { shipmentOf, shipmentToChange } from './find.ts'
