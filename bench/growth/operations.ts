import { randomUUID } from 'node:crypto'
import { StatementSync } from 'node:sqlite'
import { Client } from 'pg'
import type { Volume } from './fill.ts'

/** A service with a volume, as the operations see it. */
export interface Place extends Volume {
  call(name: string, body: object): Promise<Record<string, unknown>>
}

/** Prepares one call, and returns its operation and its body. The preparation is not measured. */
export type PrepareCall = (place: Place, n: number) => Promise<readonly [operation: string, body: object]>

const pageSize = 50

const user = ({ accounts }: Volume, n: number) => `user-${1 + ((n * 7_919) % accounts)}`
const point = ({ pickUpPoints }: Volume, n: number) => `pup-${n % pickUpPoints}`
const ended = (n: number) => `shipment-${1 + n}`

const booking = (place: Volume, n: number) => ({
  PupUid: point(place, n),
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 20, length: 40 },
})

async function book(place: Place, n: number): Promise<string> {
  const { shipmentUids } = await place.call('CreateLocalShipmentAsIssue', {
    ...booking(place, n),
    ToUserUid: user(place, n),
  })
  return String((shipmentUids as string[])[0])
}

async function createAccount(place: Place): Promise<string> {
  const { userUid } = await place.call('CreateAccount', account(place))
  return String(userUid)
}

const account = (place: Volume) => ({
  emailAddress: `${randomUUID()}@bench.example`,
  firstName: 'Ada',
  lastName: 'Lovelace',
  pickUpPointUid: point(place, 0),
})

const list =
  (filter: object): PrepareCall =>
  async () => ['GetShipments', { pageNo: 1, pageSize, ...filter }]

/** @param at its place among all pages, from 0 to 1 */
const listPage =
  (at: number, filter: object = {}): PrepareCall =>
  async ({ shipments }) => ['GetShipments', { pageNo: Math.floor((shipments / pageSize) * at), pageSize, ...filter }]

/** Calls whose cost must not depend on the volume. */
export const calls: Readonly<Record<string, PrepareCall>> = {
  'book stock': async (place, n) => ['CreateLocalShipmentAsStock', booking(place, n)],
  'book an issue': async (place, n) => [
    'CreateLocalShipmentAsIssue',
    { ...booking(place, n), ToUserUid: user(place, n) },
  ],
  'cancel a shipment': async (place, n) => ['CancelShipment', { shipmentUid: await book(place, n) }],
  'set the details of a shipment': async (place, n) => [
    'SetShipmentDetails',
    { shipmentUid: await book(place, n), referenceNo: 'another', referenceCaseNo: 'another', description: 'another' },
  ],
  'read an access code': async (place, n) => ['GetShipmentAccessCode', { shipmentUid: await book(place, n) }],
  'unlock a locker': async (place, n) => ['UnlockShipmentLocker', { shipmentUid: await book(place, n) }],
  'create an account': async place => ['CreateAccount', account(place)],
  'read an account': async (place, n) => ['GetAccount', { userUid: user(place, n) }],
  'change an account': async (place, n) => [
    'SetAccountDetails',
    { userUid: user(place, n), firstName: 'Grace', lastName: 'Hopper' },
  ],
  'move an account': async (place, n) => [
    'SetAccountPickUpPoint',
    { userUid: user(place, n), pickUpPointUid: point(place, n) },
  ],
  'remove an account': async place => ['RemoveAccount', { userUid: await createAccount(place) }],
  'list shipments, first page': list({}),
  'list shipments, newest first': list({ sortBy: 'CreatedDesc' }),
  'list shipments by last change': list({ sortBy: 'ActivityDesc' }),
  'list shipments, last page': listPage(1),
  'list shipments, a page in the middle': listPage(0.5),
  'list shipments, newest first, a page in the middle': listPage(0.5, { sortBy: 'CreatedDesc' }),
  'list shipments by last change, a page in the middle': listPage(0.5, { sortBy: 'ActivityDesc' }),
  'list ended shipments, a page in the middle': listPage(0.5, { shipmentState: ['Completed'] }),
  'list shipments of two states, a page in the middle': listPage(0.5, {
    shipmentState: ['Completed', 'ReadyForPickup'],
  }),
  'list one shipment': async (_, n) => ['GetShipments', { pageNo: 1, pageSize, shipmentUid: ended(n) }],
  'list shipments of a user': async (place, n) => [
    'GetShipments',
    { pageNo: 1, pageSize, userUid: user(place, n), activeShipments: false },
  ],
  'list shipments of a case': async (_, n) => ['GetShipments', { pageNo: 1, pageSize, referenceCaseNo: `case-${n}` }],
  'list active shipments at a pick up point': async (place, n) => [
    'GetShipments',
    { pageNo: 1, pageSize, bookedPupUid: point(place, n), activeShipments: true },
  ],
  'list shipments of a pick up point': async (place, n) => [
    'GetShipments',
    { pageNo: 1, pageSize, bookedPupUid: point(place, n) },
  ],
  'list active shipments': list({ activeShipments: true }),
  'list ended shipments': list({ shipmentState: ['Completed'] }),
  'list recent changes': async () => [
    'GetShipments',
    { pageNo: 1, pageSize, updatedSince: new Date(Date.now() - 60_000).toISOString() },
  ],
  'list pick up points': async () => ['GetPickUpPoints', { pageNo: 1, pageSize: 10 }],
  'list pick up points with details': async () => [
    'GetPickUpPoints',
    { pageNo: 1, pageSize: 10, includeDetails: true },
  ],
}

/** Counts the statements that this process sends to its stores. */
export function countStatements(): { taken(): number } {
  let count = 0
  const counted = <Method extends (...values: never[]) => unknown>(method: Method): Method =>
    function (this: unknown, ...values: never[]) {
      count++
      return method.apply(this, values)
    } as Method
  const statement = StatementSync.prototype
  statement.all = counted(statement.all)
  statement.run = counted(statement.run)
  Client.prototype.query = counted(Client.prototype.query)
  return {
    /** Returns the number since the last call. */
    taken() {
      const taken = count
      count = 0
      return taken
    },
  }
}
