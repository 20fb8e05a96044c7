import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { type OperationName, operations } from '#contract'
import type { ServiceWorld } from '../world/serviceWorld.ts'
import { booking, item } from './topology.ts'
import { csv, upload } from './uploads.ts'

/** The kind of entity that a field of a request names. */
export type Kind =
  | 'shipment'
  | 'object'
  | 'account'
  | 'user name'
  | 'pick up point'
  | 'locker'
  | 'locker name'
  | 'code'
  | 'case number'
  | 'text to search'
  // The receiver or sender of a shipment: any account is allowed.
  | 'party'
  // Callers may find out that an address or a user name is taken (registrationTable.test.ts).
  | 'registered'
  // Names no entity: a stored text, a sort order, a number, or one of a list.
  | 'value'

/** By the name of the field, in any casing. */
const kinds: Readonly<Record<string, Kind>> = {
  ...named('shipment', 'shipmentUid PriorShipmentUid SwapsShipmentUid'),
  ...named('object', 'shipmentObjectUid'),
  ...named('account', 'userUid'),
  ...named('party', 'FromUserUid ToUserUid'),
  ...named('pick up point', 'PupUid pickUpPointUid bookedPupUid'),
  ...named('locker', 'LockerUid'),
  ...named('locker name', 'lockerName'),
  ...named('code', 'pinCode'),
  ...named('text to search', 'searchText'),
  ...named('registered', 'userName emailAddress'),
  ...named('value', 'pageNo pageSize sortBy shipmentState updatedSince unlockGoal width height length weight count'),
  ...named('value', 'ReferenceNo ReferenceCaseNo Description caseReferenceNew reference'),
  ...named('value', 'firstName lastName phoneNumber languageCode streetName streetNo mailbox city countryCode'),
  ...named('value', 'url authType authKey'),
}

/** Fields whose kind differs from that of their name elsewhere. */
const exceptions: Readonly<Record<string, Kind>> = {
  'GetAccount userName': 'user name',
  'GetShipments referenceCaseNo': 'case number',
  'GetLocalShipments referenceCaseNo': 'case number',
  'GetCollectOnlyShipments referenceCaseNo': 'case number',
}

function named(kind: Kind, names: string): Record<string, Kind> {
  return Object.fromEntries(names.split(' ').map(name => [name.toLowerCase(), kind]))
}

/** True if it names something that belongs to one tenant. */
export function isThing(kind: Field['kind']): kind is keyof Things {
  return kind !== undefined && !['party', 'registered', 'value'].includes(kind)
}

export interface Field {
  readonly operation: OperationName
  /** Names from the outermost object on. */
  readonly path: readonly string[]
  /** Undefined if the field is not classified. */
  readonly kind: Kind | undefined
}

/** Every field of every request, without objects and booleans. */
export const fields: readonly Field[] = Object.values(operations).flatMap(({ name: operation, request }) =>
  pathsIn(z.toJSONSchema(request, { io: 'input', unrepresentable: 'any' })).map(path => {
    const kind = exceptions[`${operation} ${path.join('.')}`] ?? kinds[path.at(-1)?.toLowerCase() ?? '']
    return { operation: operation as OperationName, path, kind }
  }),
)

type Schema = z.core.JSONSchema.BaseSchema

function pathsIn(schema: Schema, path: readonly string[] = []): string[][] {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Schema>)
  const inside = [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? []), schema.items] as Schema[]
  const found = [
    ...properties.flatMap(([name, one]) => pathsIn(one, [...path, name])),
    ...inside.filter(one => one !== undefined).flatMap(one => pathsIn(one, path)),
    ...(['string', 'number', 'integer'].includes(String(schema.type)) ? [[...path]] : []),
  ]
  return [...new Map(found.map(one => [one.join(), one])).values()]
}

/** Identifiers of acme, of globex, or unknown ones; acme sends the requests. */
export type Things = Readonly<Record<Exclude<Kind, 'party' | 'registered' | 'value'>, string>>

export interface Owned {
  readonly mine: Things
  readonly foreign: Things
  /** Unknown ones with the form and length of the foreign ones. */
  readonly unknown: Things
  /** A second set of unknown ones. */
  readonly another: Things
}

const place = { ...booking, PupUid: 'shared' }
const person = { firstName: 'Ada', lastName: 'L', emailAddress: 'new@home.example' }

/** Creates one entity of each kind for both tenants. */
export async function own(world: ServiceWorld): Promise<Owned> {
  const mine = await things(world, 'acme', 'square')
  const foreign = await things(world, 'globex', 'harbour')
  const codes = ['111111', '222222', '333333', '444444'].filter(code => ![mine.code, foreign.code].includes(code))
  const [unknown, another] = [unknownThings('nowhere', '7', codes[0]), unknownThings('neither', '9', codes[1])]
  return { mine, foreign, unknown, another }
}

function unknownThings(name: string, digit: string, code = ''): Things {
  return {
    shipment: randomUUID(),
    object: randomUUID(),
    account: randomUUID(),
    'user name': `user-${name.slice(0, 6)}`,
    'pick up point': name,
    locker: `${name}:2`,
    'locker name': digit,
    code,
    'case number': `case-${name.slice(0, 6)}`,
    'text to search': name,
  }
}

async function things(world: ServiceWorld, tenant: string, pickUpPointUid: string): Promise<Things> {
  const details = { ReferenceCaseNo: `case-${tenant}` }
  const account = { ...person, emailAddress: `a@${tenant}.example`, userName: `user-${tenant}`, pickUpPointUid }
  const { userUid } = await world.call('CreateAccount', account, tenant)
  const { shipmentUids } = await world.call('CreateLocalShipmentAsStock', { ...place, Details: details }, tenant)
  const [shipment = ''] = shipmentUids
  const { shipmentObjectUid } = await world.call('AddShipmentObject', { shipmentUid: shipment, details: {} }, tenant)
  const { deliveryCode } = await world.call('GetShipmentAccessCode', { shipmentUid: shipment }, tenant)
  const suggestions = csv([{ EmailAddress: `b@${tenant}.example`, FirstName: pickUpPointUid }])
  await upload(world.service, 'people.csv', suggestions, { client: tenant })
  return {
    shipment,
    object: shipmentObjectUid,
    account: userUid ?? '',
    'user name': account.userName,
    'pick up point': pickUpPointUid,
    locker: `${pickUpPointUid}:2`,
    // The name of a locker of this pick up point only.
    'locker name': tenant === 'acme' ? 'S1' : '4',
    code: deliveryCode ?? '',
    'case number': details.ReferenceCaseNo,
    'text to search': pickUpPointUid,
  }
}

type Asks = Readonly<Record<OperationName, (mine: Things) => readonly object[]>>

/** A valid request of each operation with identifiers of acme only; one operation has several. */
export const asks: Asks = {
  CreateLocalShipment: mine => [
    { ...place, ToUserUid: mine.account },
    { ...place, ToUserUid: mine.account, SwapsShipmentUid: mine.shipment },
  ],
  CreateLocalShipmentAsIssue: mine => [{ ...place, ToUserUid: mine.account }],
  CreateLocalShipmentAsIssueAndSwapIntake: mine => [{ ...place, ToUserUid: mine.account }],
  CreateLocalShipmentAsStock: () => [place],
  CreateLocalShipmentAsStockAfterSwapIntake: mine => [{ PriorShipmentUid: mine.shipment, Dimension: item }],
  CreateLocalShipmentAsIssueFromStock: issuing,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: issuing,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: issuing,
  CreateLocalShipmentAsIntake: mine => [{ ...place, FromUserUid: mine.account }],
  CreateLocalShipmentAsIntakeAndCircularStock: mine => [{ ...place, FromUserUid: mine.account }],
  CreateCollectOnlyShipment: collecting,
  CreateCollectOnlyShipmentAsCollectByDispatcher: collecting,
  CreateCollectOnlyShipmentAsCollectByUser: collecting,
  SetShipmentDetails: mine => [
    { shipmentUid: mine.shipment, Description: null, ReferenceNo: 'r', ReferenceCaseNo: 'c' },
  ],
  AddShipmentObject: mine => [
    { shipmentUid: mine.shipment, details: {}, changePickUpAccess: true, changeDropOffAccess: true },
  ],
  RemoveShipmentObject: mine => [{ shipmentUid: mine.shipment, shipmentObjectUid: mine.object }],
  SetShipmentReceiver: mine => [
    { shipmentUid: mine.shipment, toUserUid: mine.account },
    { shipmentUid: mine.shipment, removeReceiver: true },
  ],
  CancelShipment: mine => [{ shipmentUid: mine.shipment }],
  UnlockShipmentLocker: mine => [{ shipmentUid: mine.shipment }, { shipmentUid: mine.shipment, unlockGoal: 'DropOff' }],
  GetShipmentAccessCode: mine => [{ shipmentUid: mine.shipment }],
  GetShipments: () => [{}],
  GetLocalShipments: () => [{}],
  GetCollectOnlyShipments: () => [{}],
  SimulateLockerAccess: mine => [{ pupUid: 'square', lockerName: 'S1', pinCode: mine.code }],
  SetAccountDetails: mine => [{ userUid: mine.account, phoneNumber: '+31600000002' }],
  SetAccountPickUpPoint: mine => [{ userUid: mine.account, pickUpPointUid: 'square' }],
  SetAccountMutationConfig: mine => [{ userUid: mine.account, canChangeAddress: true }],
  RemoveAccount: mine => [{ userUid: mine.account }],
  CreateAccount: () => [{ ...person, pickUpPointUid: 'square' }],
  CreateOrGetAccount: () => [{ ...person, pickUpPointUid: 'square' }],
  GetAccount: () => [{}],
  GetAccountMutationConfig: mine => [{ userUid: mine.account }],
  // The file names pick up points. It has its own test.
  UploadAccountSuggestions: () => [],
  GetAccountSuggestions: () => [{}],
  GetPickUpPoints: () => [{ includeDetails: true }],
  ConfigureCallback: () => [{ url: null, authType: 'None' }],
  SetSandboxFaults: () => [{}],
}

function issuing(mine: Things): object[] {
  return [{ PriorShipmentUid: mine.shipment, ToUserUid: mine.account }]
}

function collecting(mine: Things): object[] {
  return [{ ...place, ToUserUid: mine.account, KeepBookedAfterPickUp: false }]
}

/** Copies a request with another value at a path. */
export function withValue(ask: object, path: readonly string[], value: string): object {
  const [name = '', ...rest] = path
  const inner = (ask as Record<string, object | undefined>)[name]
  return { ...ask, [name]: rest.length === 0 ? value : withValue(inner ?? {}, rest, value) }
}
