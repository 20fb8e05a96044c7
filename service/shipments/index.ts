// The shipment on the store: booking, links, the one place where its state changes, access codes, wrong pin codes.
// Imported by the service's operations.
export { type Access, accesses, accessIn } from './access.ts'
export { advance } from './advance.ts'
export { countWrongCode, forgetWrongCodes, refuseLocked } from './attempts.ts'
export { type Booking, book } from './booking.ts'
export { shipmentOf, shipmentToChange } from './find.ts'
export { bookAfter, type Following } from './following.ts'
export { type Issued, issueFromStock } from './issuing.ts'
export type { Shipment } from './make.ts'
export { type Party, userUidOf } from './parties.ts'
