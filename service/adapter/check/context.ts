import { randomUUID } from 'node:crypto'
import { type OpenRequest, openResponse, type StateRequest, type StateResponse, stateResponse } from '#contract'
import type { Adapter, AdapterResponse, Signing } from './adapter.ts'
import type { EventReceiver } from './eventReceiver.ts'

/** A check has found something that the protocol excludes. */
export class CheckFailed extends Error {}

export interface CheckedDoor {
  readonly pupUid: string
  readonly lockerUid: string
  readonly lockerName: string
}

/** The parts that the checks share. */
export interface CheckContext {
  readonly adapter: Adapter
  readonly key: string
  readonly door: CheckedDoor
  /** Ids for which the door may open. */
  readonly validIds: Set<string>
  /** Undefined without a port for events. */
  readonly events: EventReceiver | undefined
}

export interface Check {
  /** Completes the sentence that begins with "the adapter". */
  readonly name: string
  /** Runs only with a port for events. */
  readonly needsEvents?: true
  /** @throws Error when the adapter does not follow the protocol */
  readonly run: (context: CheckContext) => Promise<void>
}

/** Milliseconds, as the service sends them. */
const validForMs = 3_000

export function toOpenRequest(door: CheckedDoor, openId: string = randomUUID()): OpenRequest {
  return { type: 'open', openId, ...door, validForMs }
}

export function toStateRequest(door: CheckedDoor): StateRequest {
  return { type: 'state', ...door }
}

/** Opens the door of the checks. @throws CheckFailed unless it opens in time */
export async function openDoor(context: CheckContext, openId: string = randomUUID(), signing: Signing = {}) {
  context.validIds.add(openId)
  const startedAt = performance.now()
  const response = await context.adapter.post('open', JSON.stringify(toOpenRequest(context.door, openId)), {
    id: openId,
    ...signing,
  })
  expectStatus(response, 200)
  if (performance.now() - startedAt > validForMs) throw new CheckFailed('the response took more than three seconds')
  const read = openResponse.safeParse(response.json)
  if (!read.success) throw new CheckFailed('the response is not one of the protocol')
  if (read.data.openId !== openId) throw new CheckFailed(`openId is ${read.data.openId}, not that of the request`)
  if (!read.data.opened) throw new CheckFailed(`the door did not open: ${read.data.reason ?? read.data.state}`)
  return read.data
}

/** @throws CheckFailed unless the adapter reports a state */
export async function readState({ adapter, door }: CheckContext): Promise<StateResponse> {
  const response = await adapter.post('state', JSON.stringify(toStateRequest(door)))
  expectStatus(response, 200)
  const read = stateResponse.safeParse(response.json)
  if (!read.success) throw new CheckFailed('the response is not one of the protocol')
  if (read.data.lockerUid !== door.lockerUid) throw new CheckFailed(`lockerUid is ${read.data.lockerUid}`)
  return read.data
}

export function expectStatus({ status }: AdapterResponse, ...expected: readonly number[]): void {
  if (expected.includes(status)) return
  const given = status === 0 ? 'the connection was cut' : `the status is ${status}`
  throw new CheckFailed(`${given}, not ${expected.filter(code => code !== 0).join(' or ')}`)
}
