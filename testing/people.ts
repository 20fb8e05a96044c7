import { setTimeout as delay } from 'node:timers/promises'
import type { FlowClient } from '#client'
import type { Api } from '#contract/client'
import type { Clock } from '#testing/stack'
import { createAccount, createOpeners, openWithWrongCode } from '#testing/story/people'

/** Which shipment of a case, for cases with several that could be opened. */
export interface ShipmentChoice {
  /** The role in the flow, such as `intake`. */
  readonly role?: string
  /** Milliseconds to wait for the shipment to be ready; twenty seconds by default. */
  readonly timeout?: number
}

/** The people at the lockers of the sandbox, by the case of a flow. */
export interface People {
  /** Creates an account, or finds it, and returns its `userUid`. The name is the first part of its e-mail address. */
  create(name: string, pickUpPointUid?: string): Promise<string>
  /** Waits until an item can be dropped off, and drops it off with the delivery code. */
  dropOff(caseNo: string, choice?: ShipmentChoice): Promise<void>
  /** Waits until an item can be picked up, and picks it up with the pick up code. */
  pickUp(caseNo: string, choice?: ShipmentChoice): Promise<void>
  /** Enters a wrong code at the locker. Returns the code of the refusal. */
  openWithWrongCode(caseNo: string, choice?: ShipmentChoice): Promise<string>
  /** Moves the clock until the window of the current step has passed. */
  neverCome(caseNo: string): Promise<void>
}

export interface PeopleOptions {
  /** The client whose requests the faults of doors change. */
  readonly api: Api
  /** Undefined for a service without flows, whose cases have no roles and no deadlines. */
  readonly flows?: Pick<FlowClient<never>, 'status'>
  /** Undefined for a service that runs by the time of the machine. */
  readonly clock?: Clock
}

const defaultTimeout = 20_000
const pollInterval = 20
/** A flow acts on its deadline, not before it. Milliseconds. */
const past = 1_000

export function createPeople({ api, flows, clock }: PeopleOptions): People {
  const openers = createOpeners(api)

  /** @throws Error that names the states of all shipments of the case */
  async function find(caseNo: string, states: readonly string[], choice: ShipmentChoice) {
    const { timeout = defaultTimeout, role } = choice
    for (const start = performance.now(); ; await delay(pollInterval)) {
      const all = await shipmentsOf(caseNo)
      const chosen = role === undefined ? all : await inRole(caseNo, role, all)
      const ready = chosen.filter(({ stateCode }) => states.includes(stateCode))
      const [shipment, other] = ready
      if (other !== undefined) {
        throw new Error(
          `role: must be given, since case ${caseNo} has ${ready.length} shipments in ${states.join(', ')}.`,
        )
      }
      if (shipment !== undefined) return { ...shipment, role: role ?? '' }
      if (performance.now() - start > timeout) {
        const found = all.map(({ shipmentUid, stateCode }) => `${shipmentUid} ${stateCode}`).join(', ') || 'none'
        throw new Error(`Case ${caseNo} had no shipment in ${states.join(', ')} within ${timeout} ms. It has ${found}.`)
      }
    }
  }

  async function shipmentsOf(caseNo: string) {
    const { items } = await api.call('GetShipments', { referenceCaseNo: caseNo })
    return items
  }

  async function inRole(caseNo: string, role: string, all: Awaited<ReturnType<typeof shipmentsOf>>) {
    const found = await statusOf(caseNo)
    const uids = found?.kind === 'Status' ? found.status.shipments.filter(held => held.role === role) : []
    return all.filter(({ shipmentUid }) => uids.some(held => held.shipmentUid === shipmentUid))
  }

  async function statusOf(caseNo: string) {
    return flows?.status(caseNo)
  }

  return {
    create: (name, pickUpPointUid = 'pup-1') =>
      createAccount(api, name, 'Tester', pickUpPointUid, `${name}@example.org`),
    dropOff: async (caseNo, choice = {}) => openers.dropOff(await find(caseNo, ['ReadyForDropOff'], choice)),
    pickUp: async (caseNo, choice = {}) => openers.pickUp(await find(caseNo, ['ReadyForPickup'], choice)),
    openWithWrongCode: async (caseNo, choice = {}) =>
      openWithWrongCode(api, await find(caseNo, ['ReadyForDropOff', 'ReadyForPickup'], choice)),
    async neverCome(caseNo) {
      if (clock === undefined) throw new Error('neverCome needs the clock of startLockers.')
      const found = await statusOf(caseNo)
      const deadline = found?.kind === 'Status' ? found.status.deadline : null
      if (deadline === null) throw new Error(`Case ${caseNo} waits for no one, or its step has no window.`)
      await clock.advance(Math.max(0, Date.parse(deadline) - clock.now()) + past)
    },
  }
}
