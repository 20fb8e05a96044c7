import type { Api } from '#api'
import { examples, type OperationName } from '#contract'
import { type Json, parseDuration } from '#flows'
import type { Before } from './story.ts'
import { createUser, type World } from './world.ts'

/** The things of a simulation that a request names by placeholders such as `{ $user: 1 }`. */
export interface Things {
  /** The start of the flow, in milliseconds since 1970. */
  readonly startedAt: number
  /** The shipments that exist before the flow, by name. */
  readonly items: ReadonlyMap<string, string>
  user(number: number): Promise<string>
  pickUpPoint(number: number): string
}

/** Returns a request without placeholders. @throws Error that names the field */
export async function resolveRequest(value: unknown, things: Things, at = 'request'): Promise<Json> {
  if (Array.isArray(value)) {
    return Promise.all(value.map((member, index) => resolveRequest(member, things, `${at}[${index}]`)))
  }
  if (value === null || typeof value !== 'object') return value as Json
  const { $example, ...rest } = value as Record<string, unknown>
  const [[key = '', member] = []] = Object.entries(rest)
  if (key.startsWith('$')) return resolvePlaceholder(key, member, things, at)
  const example = $example === undefined ? {} : await exampleOf(String($example), things, at)
  const resolved: Record<string, Json> = { ...example }
  for (const [name, given] of Object.entries(rest)) {
    resolved[name] = await resolveRequest(given, things, `${at}.${name}`)
  }
  return resolved
}

async function resolvePlaceholder(key: string, value: unknown, things: Things, at: string): Promise<Json> {
  if (key === '$user') return things.user(Number(value))
  if (key === '$pup') return things.pickUpPoint(Number(value))
  if (key === '$in') {
    const length = parseDuration(String(value))
    if (length === undefined) throw new Error(`${at}.$in: must be a duration such as "2d".`)
    return new Date(things.startedAt + length).toISOString()
  }
  const item = key === '$item' ? things.items.get(String(value)) : undefined
  if (item === undefined)
    throw new Error(`${at}.${key}: must be $user, $pup, $in, $example, or $item with a name of before.`)
  return item
}

/** The example request of an operation, with the pick up point and the user of this simulation. */
async function exampleOf(name: string, things: Things, at: string): Promise<Record<string, Json>> {
  if (!Object.hasOwn(examples, name)) throw new Error(`${at}.$example: must be an operation, "${name}" is not one.`)
  const { request } = examples[name as OperationName]
  const own: Record<string, Json> = { ...(request as Record<string, Json>) }
  for (const field of Object.keys(own)) {
    if (pickUpPointFields.includes(field)) own[field] = things.pickUpPoint(1)
    if (userFields.includes(field)) own[field] = await things.user(1)
  }
  return withoutCaseNo(own) as Record<string, Json>
}

/** The flow sets its case number. */
function withoutCaseNo(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const fields = Object.entries(value as Readonly<Record<string, Json>>)
  return Object.fromEntries(
    fields.filter(([name]) => name !== 'ReferenceCaseNo').map(([name, member]) => [name, withoutCaseNo(member)]),
  )
}

const pickUpPointFields: readonly string[] = ['PupUid', 'pupUid', 'pickUpPointUid']
const userFields: readonly string[] = ['ToUserUid', 'FromUserUid', 'userUid']

const parcel = {
  AllowLargerLockers: true,
  AllowOverflowLockers: false,
  Dimension: { width: 30, height: 15, length: 40 },
}

/** Creates a shipment that exists before the flow. Returns its uid. */
export async function createBefore(api: Api, name: string, kind: Before, things: Things): Promise<string> {
  const booking = { ...parcel, PupUid: things.pickUpPoint(1), Details: { ReferenceCaseNo: `before-${name}` } }
  const { shipmentUids } =
    kind === 'returned'
      ? await api.call('CreateLocalShipmentAsIntake', { ...booking, FromUserUid: await things.user(1) })
      : await api.call('CreateLocalShipmentAsStock', booking)
  const [shipmentUid] = shipmentUids
  if (shipmentUid === undefined) throw new Error('The service has booked no shipment.')
  if (kind !== 'announced') await openLocker(api, shipmentUid, 'deliveryCode')
  return shipmentUid
}

/** Opens the locker of a shipment by one of its codes, as the person at the door does. @throws ApiRefusal */
export async function openLocker(
  api: Api,
  shipmentUid: string,
  code: 'deliveryCode' | 'pickUpCode',
  locker?: { readonly pupUid: string | null; readonly lockerName: string | null },
): Promise<void> {
  const [found] = locker === undefined ? (await api.call('GetShipments', { shipmentUid })).items : [locker]
  const codes = await api.call('GetShipmentAccessCode', { shipmentUid }, { withCodes: true })
  const { pupUid, lockerName } = found ?? {}
  const pinCode = codes[code]
  if (pupUid == null || lockerName == null || pinCode === null) {
    throw new Error(`The shipment ${shipmentUid} has no locker or no ${code} now.`)
  }
  await api.call('SimulateLockerAccess', { pupUid, lockerName, pinCode })
}

/** The things of a world. Users beyond those of the world are created when a story names them. */
export function createThings(world: World, startedAt: number): Things & { readonly items: Map<string, string> } {
  const { topology, users, api } = world
  const made = new Map<number, Promise<string>>()
  const pickUpPoint = (number: number) => {
    const found = topology.pickUpPoints[number - 1]
    if (found === undefined) throw new Error(`$pup: must be at most ${topology.pickUpPoints.length}, got ${number}.`)
    return found.pupUid
  }
  return {
    startedAt,
    items: new Map(),
    pickUpPoint,
    async user(number) {
      const known = users[number - 1]
      if (known !== undefined) return known
      const uid = made.get(number) ?? createUser(api, number, pickUpPoint(1))
      made.set(number, uid)
      return uid
    },
  }
}
