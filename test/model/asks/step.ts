import { array, constantFrom, nat, noShrink, record, sample } from 'fast-check'
import type { OperationName } from '#contract'
import { lockers } from '../model/lockers.ts'
import type { Model } from '../model/model.ts'
import { isActive } from '../model/states.ts'
import { clientIds, tenantOf } from '../places.ts'
import { type Fields, needs } from '../rules/body.ts'
import type { Request } from '../rules/predict.ts'
import { Dice } from './dice.ts'
import { asks } from './index.ts'

/** Weights of the operations; the default is 1. */
const weights: Readonly<Partial<Record<OperationName, number>>> = {
  SimulateLockerAccess: 14,
  UnlockShipmentLocker: 6,
  CreateLocalShipment: 4,
  CreateLocalShipmentAsStock: 4,
  CreateLocalShipmentAsStockAfterSwapIntake: 2,
  CreateLocalShipmentAsIssueAndSwapIntake: 2,
  CreateLocalShipmentAsIssueFromStock: 2,
  CreateLocalShipmentAsIssueFromStockAndSwapIntake: 2,
  CreateLocalShipmentAsIssueFromStockAndSubsequentIntakeAndCircularStock: 2,
  CreateLocalShipmentAsIssue: 2,
  CreateLocalShipmentAsIntakeAndCircularStock: 2,
  AddShipmentObject: 2,
  SetAccountDetails: 2,
  RemoveShipmentObject: 2,
  RemoveAccount: 2,
  SetShipmentReceiver: 3,
  CancelShipment: 2,
  SetSandboxFaults: 2,
  CreateAccount: 2,
  CreateOrGetAccount: 2,
}

const names = Object.keys(asks) as OperationName[]
const weighted = names.flatMap(name => Array<OperationName>(weights[name] ?? 1).fill(name))

/** One call, before the state of the model decides about its fields. */
export interface Step {
  readonly operation: OperationName
  readonly numbers: readonly number[]
}

// Shrinking only removes steps; simplifying each of them as well would take minutes.
const numbers = noShrink(array(nat({ max: 2 ** 30 }), { minLength: 16, maxLength: 16, size: 'max' }))
const step = noShrink(record({ operation: constantFrom(...weighted), numbers }))

/** Sequences of steps. */
export const steps = (maxLength: number) => array(step, { maxLength, size: 'max' })

/** A sequence in which every second step is one of these operations. */
export function stepsWith(operations: readonly OperationName[], count: number, seed: number): readonly Step[] {
  const named = (index: number) => operations[((index - 1) / 2) % operations.length]
  return sample(step, { seed, numRuns: count }).map((one, index) => {
    const operation = index % 2 === 1 ? named(index) : undefined
    return operation === undefined ? one : { ...one, operation }
  })
}

/** Milliseconds before a step: some end the lock of a locker, the longest the life of an Idempotency-Key. */
const waits = [0, 25_000, 3_600_000, 86_401_000] as const

/** The operator puts a locker, or a pick up point without a name, in or out of service before the step. */
export interface ServiceEvent {
  readonly pupUid: string
  readonly lockerName: string | undefined
  /** Null: in service. */
  readonly reason: string | null
}

export interface Asked {
  readonly request: Request
  readonly wait: number
  readonly event: ServiceEvent | undefined
}

/** The request of a step in the state of the model. `earlier` are requests with an Idempotency-Key. */
export function askedBy({ operation, numbers }: Step, model: Model, earlier: readonly Request[]): Asked {
  const [client = 0, special = 0, which = 0, ...others] = numbers
  const wait = special % 40 === 39 ? (waits[which % waits.length] ?? 0) : 0
  const dice = new Dice(others)
  const event = special % 20 === 19 ? anEvent(model, new Dice([which, ...others])) : undefined
  if (special % 25 === 24 && earlier.length > 0) return { request: again(earlier, dice), wait, event }
  const able = needsShipment(operation) && client % 10 > 0 ? clientIds.filter(id => hasShipment(model, id)) : clientIds
  const clientId = (able.length > 0 ? able : clientIds)[client % (able.length || clientIds.length)] ?? ''
  const fields: Fields = { ...asks[operation]({ dice, model, tenant: tenantOf[clientId] ?? '' }) }
  const request = { operation, client: clientId, fields: JSON.parse(JSON.stringify(fields)) }
  return { request: { ...request, ...specialty(request, special, which) }, wait, event }
}

/** Half of the events end another one, so that most lockers work. */
function anEvent({ outOfService }: Model, dice: Dice): ServiceEvent {
  const uid = dice.oneIn(2) ? dice.oneOf(Object.keys(outOfService)) : undefined
  if (uid !== undefined) {
    const [pupUid = '', lockerName] = uid.split(':')
    return { pupUid, lockerName, reason: null }
  }
  const locker = dice.oneOf(lockers)
  const reason = dice.oneIn(2) ? 'door bent' : 'flooded'
  return { pupUid: locker?.pupUid ?? '', lockerName: dice.oneIn(5) ? undefined : locker?.name, reason }
}

const needsShipment = (operation: OperationName) =>
  operation === 'SimulateLockerAccess' || needs[operation].some(field => field.toLowerCase().includes('shipmentuid'))

function hasShipment({ shipments }: Model, clientId: string): boolean {
  return shipments.some(shipment => shipment.tenant === tenantOf[clientId] && isActive(shipment))
}

/** Repeats a request, sometimes by the other client of the tenant or with another body. */
function again(earlier: readonly Request[], dice: Dice): Request {
  const request = earlier[earlier.length - 1 - dice.below(Math.min(earlier.length, 4))]
  if (request === undefined) throw new Error('There must be an earlier request.')
  if (dice.oneIn(5)) return { ...request, fields: { ...request.fields, ...otherBody(request.operation) } }
  return dice.oneIn(4) && request.client === 'acme' ? { ...request, client: 'acme-2' } : request
}

/** Fields that change the body. */
function otherBody(operation: OperationName): Fields {
  if (operation === 'AddShipmentObject') return { details: { referenceNo: 'another' } }
  if (operation.endsWith('Account')) return { lastName: 'Another' }
  if (operation === 'CreateLocalShipment') return { Description: 'another' }
  return operation.includes('FromStock')
    ? { Issue: { ReferenceCaseNo: 'another' } }
    : { Details: { Description: 'another' } }
}

/** Chooses an unusual way to send the request, or an Idempotency-Key. */
function specialty({ operation, fields }: Request, special: number, which: number): Partial<Request> {
  const isJson = operation !== 'UploadAccountSuggestions'
  switch (special % 30) {
    case 29:
      return isJson ? { manner: 'lower case' } : {}
    case 28:
      return isJson ? { manner: 'upper case' } : {}
    case 27: {
      const needed = needs[operation]
      const field = needed[which % needed.length]
      return field === undefined ? {} : { fields: { ...fields, [field]: which % 2 === 0 ? null : undefined } }
    }
    case 26:
      if (!isJson || Object.keys(fields).length === 0) return {}
      return which % 2 === 0 ? { manner: 'a key twice' } : { manner: 'without a token' }
    case 25:
    case 24:
    case 23:
    case 22:
      return { idempotencyKey: `key ${which % 8}` }
    default:
      return {}
  }
}
