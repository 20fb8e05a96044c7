import { equal } from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { type Dispatcher, signIn, type Target } from './dispatcher.ts'
import type { HttpResponse } from './http.ts'
import { type Belongings, requests } from './operations.ts'

/** Two tenants of one service with one thing of each kind. The attacker never gets the victim's token. */
export interface Scene {
  readonly target: Target
  readonly attacker: Dispatcher
  readonly victim: Dispatcher
  readonly own: Belongings
  readonly foreign: Belongings
  /** Identifiers of the same form that do not exist. */
  readonly unknown: Belongings
}

/** Signs both tenants in and books what the checks need. */
export async function createScene(target: Target): Promise<Scene> {
  const attacker = await signIn(target, target.attacker)
  const victim = await signIn(target, target.victim)
  const own = await createBelongings(attacker)
  const foreign = await createBelongings(victim)
  return { target, attacker, victim, own, foreign, unknown: inventBelongings() }
}

/** Fails unless the response is a success. Returns its body. */
export function expectSuccess(response: HttpResponse): Readonly<Record<string, unknown>> {
  equal(`${response.status} ${response.json.success}`, '200 true', response.text)
  return response.json
}

/** Fails unless the response has a status below 500 and the envelope of the specification. */
export function expectEnvelope(response: HttpResponse): void {
  const { success, error, message } = response.json
  const types = [typeof success, error === null ? 'string' : typeof error, message === null ? 'string' : typeof message]
  equal(`${response.status < 500} ${types.join()}`, 'true boolean,string,string', `${response.status} ${response.text}`)
}

/** Fails unless the response has this status and error code, in the envelope. */
export function expectRefused(response: HttpResponse, status: number, ...codes: readonly string[]): void {
  expectEnvelope(response)
  equal(response.status, status, response.text)
  const { success, error } = response.json
  equal(success, false, response.text)
  if (codes.length > 0) equal(codes.includes(String(error)), true, `${error} instead of ${codes.join(', ')}`)
}

/** The victim's view of its own things, which a failed attack leaves unchanged. */
export async function readVictim({ victim, foreign }: Scene): Promise<string> {
  const shipments = await victim.call('GetShipments', { pageNo: 1, pageSize: 500, activeShipments: true })
  const account = await victim.call('GetAccount', { userUid: foreign.account })
  const codes = await victim.call('GetShipmentAccessCode', { shipmentUid: foreign.shipment })
  return [shipments, account, codes].map(response => JSON.stringify(expectSuccess(response))).join('\n')
}

async function createBelongings(dispatcher: Dispatcher): Promise<Belongings> {
  const [pickUpPoint, lockerName, locker] = await findLocker(dispatcher)
  const mark = randomUUID().slice(0, 8)
  const person = {
    firstName: 'Grace',
    lastName: 'Hopper',
    emailAddress: `${mark}@mail.example`,
    userName: `user-${mark}`,
  }
  const account = expectSuccess(await dispatcher.call('CreateAccount', { ...person, pickUpPointUid: pickUpPoint }))
  const draft: Belongings = {
    shipment: '',
    object: '',
    account: String(account.userUid),
    userName: person.userName,
    emailAddress: person.emailAddress,
    pickUpPoint,
    locker,
    lockerName,
    code: '',
    caseNumber: `case-${mark}`,
  }
  const details = { Details: { ReferenceCaseNo: draft.caseNumber } }
  const booking = { ...requests.CreateLocalShipmentAsStock(draft), ...details }
  const { shipmentUids } = expectSuccess(await dispatcher.call('CreateLocalShipmentAsStock', booking))
  const [shipmentUid] = shipmentUids as string[]
  const object = await dispatcher.call('AddShipmentObject', { shipmentUid, details: {} })
  const code = await dispatcher.call('GetShipmentAccessCode', { shipmentUid })
  const [booked] = (await listShipments(dispatcher, { shipmentUid })) as { lockerName: string; lockerUid: string }[]
  return {
    ...draft,
    shipment: String(shipmentUid),
    object: String(expectSuccess(object).shipmentObjectUid),
    code: String(expectSuccess(code).deliveryCode),
    lockerName: booked?.lockerName ?? lockerName,
    locker: booked?.lockerUid ?? locker,
  }
}

/** The active shipments that a dispatcher sees. */
export async function listShipments(dispatcher: Dispatcher, filter: object = {}): Promise<readonly unknown[]> {
  const search = { pageNo: 1, pageSize: 500, activeShipments: true, ...filter }
  return expectSuccess(await dispatcher.call('GetShipments', search)).items as unknown[]
}

/** The first pick up point of the tenant, with a name and a uid for one of its lockers. */
async function findLocker(dispatcher: Dispatcher): Promise<[string, string, string]> {
  const { items } = expectSuccess(await dispatcher.call('GetPickUpPoints', { pageNo: 1, pageSize: 1 }))
  const [point] = items as { pupUid: string }[]
  if (point === undefined) throw new Error(`the client ${dispatcher.clientId} has no pick up point`)
  return [point.pupUid, '1', randomUUID()]
}

function inventBelongings(): Belongings {
  const mark = randomUUID().slice(0, 8)
  return {
    shipment: randomUUID(),
    object: randomUUID(),
    account: randomUUID(),
    userName: `user-${mark}`,
    emailAddress: `${mark}@mail.example`,
    pickUpPoint: `pup-${mark}`,
    locker: randomUUID(),
    lockerName: 'no such locker',
    code: '',
    caseNumber: `case-${mark}`,
  }
}
