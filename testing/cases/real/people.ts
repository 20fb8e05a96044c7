import { randomUUID } from 'node:crypto'
import { type Before, createValues, type RequestValues, type TestCase } from '#testing/cases'
import type { RealParts } from './parts.ts'

const parcel = {
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}

/** The parts that people use. */
export interface PeopleParts extends Pick<RealParts, 'api' | 'windowFactor'> {
  readonly topology: { readonly pickUpPoints: readonly { readonly pupUid: string }[] }
}

/** The users of cases, and what they do at the lockers. */
export class People {
  readonly #parts: PeopleParts
  readonly #users = new Map<number, string>()

  constructor(parts: PeopleParts) {
    this.#parts = parts
  }

  /** The values of a case that starts now. @param items the shipments that exist before it, by name */
  valuesFor(items: ReadonlyMap<string, string>): RequestValues {
    const { topology, windowFactor } = this.#parts
    const { pickUpPoints } = topology
    return createValues({ start: Date.now(), scale: windowFactor, users: this.#users, pickUpPoints, items })
  }

  /** Creates the accounts of all users that a case names, and of the first one. */
  async createUsers(test: TestCase): Promise<void> {
    const named = [...JSON.stringify(test).matchAll(/"\$user":(\d+)/g)].map(([, number]) => Number(number))
    for (const number of new Set([1, ...named])) await this.#createUser(number)
  }

  async #createUser(number: number): Promise<string> {
    const known = this.#users.get(number)
    if (known !== undefined) return known
    const { userUid } = await this.#parts.api.call('CreateOrGetAccount', {
      emailAddress: `user-${number}@example.org`,
      firstName: 'User',
      lastName: String(number),
      pickUpPointUid: this.#firstPickUpPoint,
    })
    if (userUid === null) throw new Error('The service has returned no account.')
    this.#users.set(number, userUid)
    return userUid
  }

  get #firstPickUpPoint(): string {
    return this.valuesFor(new Map()).pickUpPoint(1)
  }

  /** Creates a shipment that exists before the flow. Returns its uid. */
  async createItem(kind: Before[string]): Promise<string> {
    const { api } = this.#parts
    const booking = {
      ...parcel,
      PupUid: this.#firstPickUpPoint,
      Details: { ReferenceCaseNo: `before-${randomUUID()}` },
    }
    const { shipmentUids } =
      kind === 'returned'
        ? await api.call('CreateLocalShipmentAsIntake', { ...booking, FromUserUid: await this.#createUser(1) })
        : await api.call('CreateLocalShipmentAsStock', booking)
    const [shipmentUid] = shipmentUids
    if (shipmentUid === undefined) throw new Error('The service has booked no shipment.')
    if (kind !== 'announced') await this.open(shipmentUid, 'deliveryCode')
    return shipmentUid
  }

  /** A text that changes when the shipment does. */
  async describe(shipmentUid: string): Promise<string> {
    const { items } = await this.#parts.api.call('GetShipments', { shipmentUid })
    return JSON.stringify(items[0])
  }

  /** Opens the locker of a shipment by one of its codes. @throws ApiRefusal, Error without such a code */
  async open(shipmentUid: string, code: 'deliveryCode' | 'pickUpCode'): Promise<void> {
    const { api } = this.#parts
    const { items } = await api.call('GetShipments', { shipmentUid })
    const codes = await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
    const { pupUid, lockerName } = items[0] ?? {}
    const pinCode = codes[code]
    if (pupUid == null || lockerName == null || pinCode === null) {
      throw new Error(`The shipment ${shipmentUid} has no locker or no ${code} now.`)
    }
    await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode })
  }
}
