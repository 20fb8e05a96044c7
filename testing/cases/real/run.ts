import { setTimeout as sleep } from 'node:timers/promises'
import type { WorkflowHandle } from '@temporalio/client'
import type { FlowClient } from '#client'
import { ApiFault, ApiRefusal } from '#contract/client'
import { type Edge, type FlowDeclaration, parseDuration, toWorkflowId } from '#flows'
import { edgesOn } from '#flows/check'
import * as messages from '#flows/messages'
import {
  type CaseRun,
  type CaseState,
  type EventWord,
  fillIn,
  type RequestValues,
  toInstant,
  toMoment,
} from '#testing/cases'
import { replayEdges } from '#worker'
import type { RealParts } from './parts.ts'
import type { People } from './people.ts'
import { reactionTime, readUntil, watchQuiet } from './polling.ts'
import { readCaseState, readStatus } from './state.ts'
import { attemptTime } from './times.ts'

/** Refusals of a flow that has not reached the step yet. */
const tooEarly = ['NotAskedYet', 'NothingToDecide', 'NothingToRelease', 'NoReceiverExpected']

/** The parts of a running case. */
export interface RunParts
  extends Pick<RealParts, 'api' | 'bundle' | 'lost' | 'played' | 'replaceWorker' | 'windowFactor'> {
  readonly faults: Pick<RealParts['faults'], 'areInForce' | 'clear' | 'fail' | 'recover'>
}

export interface RealRunParts {
  readonly parts: RunParts
  readonly people: People
  readonly client: FlowClient
  readonly caseNo: string
  readonly flow: FlowDeclaration
  /** The uids of the shipments that exist before the flow, by name. */
  readonly items: ReadonlyMap<string, string>
  readonly values: RequestValues
}

/** One case on real parts. Each event is repeated until the flow accepts it, or until the flow waits for a later event. */
export class RealRun implements CaseRun {
  readonly #own: RealRunParts
  /** The moment that the story has reached. No factor scales it, and events take no time. */
  #reached: number

  constructor(own: RealRunParts) {
    this.#own = own
    this.#reached = own.values.start
  }

  get values(): RequestValues {
    return this.#own.values
  }

  async perform(word: EventWord): Promise<void> {
    try {
      await this.#perform(word)
    } catch (error) {
      // The simulator names the code too.
      if (error instanceof ApiRefusal || error instanceof ApiFault) throw new Error(`${error.code}: ${error.message}`)
      throw error
    }
  }

  async #perform(word: EventWord): Promise<void> {
    const { parts, client, caseNo, values } = this.#own
    if ('dropOff' in word) await this.#open(word.dropOff, 'deliveryCode')
    else if ('pickUp' in word) await this.#open(word.pickUp, 'pickUpCode')
    else if ('cancelShipment' in word) {
      await parts.api.call('CancelShipment', { shipmentUid: await this.#shipmentUid(word.cancelShipment) })
    } else if ('setReceiver' in word) {
      const shipmentUid = await this.#shipmentUid(word.setReceiver)
      await parts.api.call('SetShipmentReceiver', { shipmentUid, toUserUid: values.user(word.user?.$user ?? 1) })
    } else if ('answer' in word) {
      const fields = fillIn(word.fields ?? {}, values, ['fields'])
      await this.#accepted(() => client.answer(caseNo, { ...word, fields } as never))
    } else if ('decide' in word) {
      const by = word.by === undefined ? {} : { by: this.#scaled(word.by) }
      await this.#accepted(() => client.decide(caseNo, { decision: word.decide, ...by }))
    } else if ('cancel' in word) await this.#cancel(word.cancel)
    else if ('assignReceiver' in word) {
      await this.#accepted(() => client.assignReceiver(caseNo, values.user(word.assignReceiver.$user)))
    } else if ('release' in word) await this.#accepted(() => client.release(caseNo))
    else if ('after' in word) await this.#wait(word.after)
    else if ('at' in word) {
      this.#reached = toMoment(word.at, { start: values.start }, this.#reached)
      await sleep(Math.max(0, toInstant(word.at, values) - Date.now()))
    } else if ('fail' in word) parts.faults.fail(word.fail)
    else if ('recover' in word) parts.faults.recover(word.recover)
    else if ('loseCallbacks' in word) parts.lost.add(await this.#shipmentUid(word.loseCallbacks))
    else if ('deliverCallbacks' in word) parts.lost.delete(await this.#shipmentUid(word.deliverCallbacks))
    else if ('cancelInWebUi' in word) await client.handle(caseNo).cancel()
    else if ('loseWorker' in word) await parts.replaceWorker()
  }

  observe(matches: (state: CaseState) => boolean): Promise<CaseState> {
    return readUntil(() => readCaseState(this.#own), matches)
  }

  /** Ignores activities between two attempts: their retries may go on for hours. */
  async settle(): Promise<void> {
    const handle = this.#own.client.handle(this.#own.caseNo)
    const describe = async () => (await handle.describe()).raw
    await readUntil(describe, ({ pendingActivities, pendingWorkflowTask }) => {
      return !pendingWorkflowTask && (pendingActivities ?? []).every(({ attempt }) => (attempt ?? 1) > 1)
    })
  }

  async edges(): Promise<readonly Edge[]> {
    const { caseNo, parts, flow } = this.#own
    const history = await this.history()
    const taken = await replayEdges(parts.bundle, [{ workflowId: toWorkflowId(caseNo), history }])
    return taken.flatMap(edge => edgesOn(flow, edge))
  }

  /** The events of the flow so far. */
  history(): ReturnType<WorkflowHandle['fetchHistory']> {
    const { client, caseNo } = this.#own
    return client.handle(caseNo).fetchHistory()
  }

  async close(): Promise<void> {
    const { client, caseNo, parts } = this.#own
    parts.faults.clear()
    parts.played.delete(caseNo)
    await client.cancel(caseNo, 'the case is over', { timeout: reactionTime })
  }

  async #wait(duration: string): Promise<void> {
    const { faults, windowFactor } = this.#own.parts
    const length = parseDuration(duration) ?? 0
    this.#reached += length
    await sleep(Math.max(length * windowFactor, faults.areInForce ? attemptTime : 0))
  }

  /** Requests the cancellation without waiting for its end: the flow may need later events of the story. */
  async #cancel(reason: string): Promise<void> {
    const { client, caseNo } = this.#own
    try {
      await client.handle(caseNo).startUpdate(messages.cancel, { args: [{ reason }], waitForStage: 'ACCEPTED' })
    } catch {
      // The client tells an ended flow from a refusal.
      await this.#accepted(() => client.cancel(caseNo, reason, { timeout: reactionTime }))
    }
  }

  /** Scales a duration, to at least a millisecond. */
  #scaled(duration: string) {
    return `${Math.max(1, Math.round((parseDuration(duration) ?? 0) * this.#own.parts.windowFactor))}ms` as const
  }

  async #shipmentUid(role: string): Promise<string> {
    const { client, caseNo, items } = this.#own
    const item = items.get(role)
    if (item !== undefined) return item
    const read = async () => (await readStatus(client, caseNo)).shipments
    const shipments = await readUntil(read, found => found.some(shipment => shipment.role === role), this.#watchQuiet())
    const booked = shipments.findLast(shipment => shipment.role === role)
    if (booked !== undefined) return booked.shipmentUid
    const known = [...shipments.map(shipment => shipment.role), ...items.keys()]
    throw new Error(`${role}: must be a booked role or a name from \`before\`: ${known.join(', ') || '(none)'}.`)
  }

  /**
   * Repeats until the shipment is in a state in which its locker opens. A code that was refused is not tried again before the
   * shipment has changed: a locker stops access after some wrong codes.
   */
  async #open(role: string, code: 'deliveryCode' | 'pickUpCode'): Promise<void> {
    const uid = await this.#shipmentUid(role)
    const { people } = this.#own
    let refused: { readonly shipment: string; readonly error: Error } | undefined
    const attempt = async () => {
      const shipment = await people.describe(uid)
      if (refused?.shipment === shipment) return refused.error
      try {
        await people.open(uid, code)
        return undefined
      } catch (error) {
        const reason = error instanceof Error ? error : new Error(String(error))
        if (error instanceof ApiRefusal) refused = { shipment, error }
        return reason
      }
    }
    const end = await readUntil(attempt, end => end === undefined, this.#watchQuiet())
    if (end !== undefined) throw end
  }

  /** Repeats a call of the flow while it is too early. @throws Error for any other refusal */
  async #accepted(
    call: () => Promise<{ readonly kind: string; readonly code?: string; readonly message?: string }>,
  ): Promise<void> {
    const isFinal = ({ kind, code = '' }: { kind: string; code?: string }) =>
      kind !== 'Refused' || !tooEarly.includes(code)
    const end = await readUntil(call, isFinal, this.#watchQuiet())
    if (['Refused', 'UnknownCase'].includes(end.kind)) throw new Error(`${end.code ?? end.kind}: ${end.message ?? ''}`)
  }

  #watchQuiet() {
    const { client, caseNo } = this.#own
    return watchQuiet(client.handle(caseNo))
  }
}

/** The reason why a flow was not started. */
export function notStarted({ kind, message = '' }: { readonly kind: string; readonly message?: string }): string {
  return `The flow did not start: ${kind}. ${message}`.trim()
}
