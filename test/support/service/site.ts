import { expect, onTestFinished, vi } from 'vitest'
import type { OperationName, ShipmentItem } from '#contract'
import type { Settings } from '#service'
import { type Receiver, startReceiver } from '../servers/callbackReceiver.ts'
import { createWorld } from '../world/createWorld.ts'
import type { ServiceWorld } from '../world/serviceWorld.ts'
import { quick } from './callbacks.ts'
import { makingOf, type Step } from './steps.ts'
import type { ServiceResponse } from './testService.ts'
import { booking } from './topology.ts'

/** Milliseconds; a site has one process, whose outbox finds its messages without polls of the store. */
const pollInterval = 1_000

/** A service with two users, and a receiver that gets the callbacks in the order of the outbox. */
export interface Site {
  readonly world: ServiceWorld
  readonly receiver: Receiver
  /** Uids by the letter that stands for each. */
  readonly uids: ReadonlyMap<string, string>
  readonly users: { readonly ada: string; readonly ben: string; readonly dispatcher: string }
  /** Performs a step; the fields are added to its request. */
  run(step: Step, fields?: object): Promise<ServiceResponse>
  read(letter: string): Promise<ShipmentItem>
  /** The letters of the shipments of a response. */
  lettersIn(response: ServiceResponse): string
  /** Waits for all callbacks, and returns those since the last call, such as `a ReadyForPickup`. */
  callbacks(): Promise<string[]>
  stop(): Promise<void>
}

/** Starts a site that stops when the test has finished. */
export async function startSite(overrides: Partial<Settings> = {}): Promise<Site> {
  const site = await openSite(overrides)
  onTestFinished(site.stop)
  return site
}

/** Starts a site that the caller stops. */
export async function openSite(overrides: Partial<Settings> = {}): Promise<Site> {
  // One delivery at a time keeps the order of all shipments, not only that of each.
  const delivery = { ...quick, concurrency: 1, pollInterval }
  const world = await createWorld({ service: { delivery, ...overrides } })
  const receiver = await startReceiver()
  await world.call('ConfigureCallback', { url: receiver.url, authType: 'None' })
  const users = {
    ada: await account(world, 'ada'),
    ben: await account(world, 'ben'),
    dispatcher: (await world.call('GetAccount', { userName: 'acme' })).userUid ?? '',
  }
  const uids = new Map<string, string>()
  let told = 0

  async function read(letter: string): Promise<ShipmentItem> {
    const { items } = await world.call('GetShipments', { shipmentUid: uids.get(letter) ?? letter })
    if (items[0] === undefined) throw new Error(`no shipment ${letter}`)
    return items[0]
  }

  async function make(operation: OperationName, body: object): Promise<ServiceResponse> {
    const response = await world.service.call(operation, body)
    for (const uid of shipmentUids(response)) {
      if (![...uids.values()].includes(uid)) uids.set(letterAt(uids.size), uid)
    }
    return response
  }

  async function access(letter: string, code: 'deliveryCode' | 'pickUpCode', fields: object): Promise<ServiceResponse> {
    const shipment = uids.has(letter) ? await read(letter) : undefined
    const door = { pupUid: 'square', lockerName: shipment?.lockerName ?? 'S1' }
    return world.service.call('SimulateLockerAccess', { ...door, pinCode: shipment?.[code] ?? 'none', ...fields })
  }

  /** The first object, unless the fields name another one. */
  async function removeObject(letter: string, fields: object): Promise<ServiceResponse> {
    const [first] = uids.has(letter) ? (await read(letter)).objects : []
    const shipmentObjectUid = first?.shipmentObjectUid ?? 'none'
    return world.service.call('RemoveShipmentObject', { shipmentObjectUid, ...fields })
  }

  function run(step: Step, fields: object = {}): Promise<ServiceResponse> {
    const [verb = '', ...rest] = step.split(' ')
    const letter = rest.at(-1) ?? ''
    const shipmentUid = uids.get(letter) ?? letter
    const toUserUid = users.ben
    switch (verb) {
      case 'dropOff':
        return access(letter, 'deliveryCode', fields)
      case 'pickUp':
        return access(letter, 'pickUpCode', fields)
      case 'cancel':
        return world.service.call('CancelShipment', { shipmentUid, ...fields })
      case 'setReceiver':
        return world.service.call('SetShipmentReceiver', { shipmentUid, toUserUid, ...fields })
      case 'removeReceiver':
        return world.service.call('SetShipmentReceiver', { shipmentUid, removeReceiver: true, ...fields })
      case 'setDetails': {
        const texts = { ReferenceNo: 'set-no', ReferenceCaseNo: 'set-case', Description: 'set' }
        return world.service.call('SetShipmentDetails', { shipmentUid, ...texts, ...fields })
      }
      case 'addObject': {
        const access = { changePickUpAccess: true, changeDropOffAccess: true }
        return world.service.call('AddShipmentObject', { shipmentUid, details: {}, ...access, ...fields })
      }
      case 'removeObject':
        return removeObject(letter, { shipmentUid, ...fields })
      case 'unlock':
        return world.service.call('UnlockShipmentLocker', { shipmentUid, unlockGoal: rest[0], ...fields })
      default: {
        // An operation ignores unknown fields.
        const all = {
          ...booking,
          ToUserUid: users.ada,
          FromUserUid: users.ada,
          PriorShipmentUid: shipmentUid,
          SwapsShipmentUid: verb === 'LocalSwap' || verb === 'StockSwap' ? shipmentUid : null,
          ...(verb === 'StockSwap' && { ToUserUid: null, FromUserUid: null, IsReceiverDelayed: true }),
          KeepBookedAfterPickUp: verb === 'CollectOnlyKept',
        }
        return make(makingOf(step), { ...all, ...fields })
      }
    }
  }

  return {
    world,
    receiver,
    uids,
    users,
    run,
    read,
    lettersIn: response => shipmentUids(response).map(letterOf).join(''),
    async callbacks() {
      // A message is in the outbox until the receiver has accepted it.
      await vi.waitFor(
        async () => expect(await world.service.store.selectFrom('outbox').select('seq').execute()).toEqual([]),
        { timeout: 10_000, interval: 5 },
      )
      const news = receiver.received.slice(told)
      told += news.length
      return news.map(({ message }) => `${letterOf(message.shipmentUid)} ${message.stateCode}`)
    },
    async stop() {
      await world.stop()
      await receiver.stop()
    },
  }

  function letterOf(uid: string): string {
    return [...uids].find(([, of]) => of === uid)?.[0] ?? uid
  }
}

/** a to z, then a1 to z1, and so on. */
function letterAt(index: number): string {
  return `${String.fromCharCode(97 + (index % 26))}${Math.floor(index / 26) || ''}`
}

function shipmentUids({ body }: ServiceResponse): readonly string[] {
  if (Array.isArray(body.shipmentUids)) return body.shipmentUids
  return typeof body.shipmentUid === 'string' ? [body.shipmentUid] : []
}

async function account(world: ServiceWorld, name: string): Promise<string> {
  const ask = { firstName: name, lastName: 'User', emailAddress: `${name}@home.example`, pickUpPointUid: 'square' }
  return (await world.call('CreateAccount', ask)).userUid ?? ''
}
