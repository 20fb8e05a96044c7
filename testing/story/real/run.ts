import type { WorkflowHandle } from '@temporalio/client'
import type { FlowClient } from '#client'
import { type Api, ApiFault, ApiRefusal, type JsonOperationName } from '#contract/client'
import { type Edge, type FlowDeclaration, parseDuration, toWorkflowId } from '#flows'
import { edgesOn } from '#flows/check'
import * as messages from '#flows/messages'
import {
  type EventWord,
  type RequestValues,
  type StoryParts,
  type StoryRun,
  type StoryState,
  type StoryUpdate,
  tellWord,
  toMoment,
} from '#testing/story'
import { openLocker } from '#testing/story/people'
import { replayEdges } from '#worker'
import type { RealParts } from './parts.ts'
import { reactionTime, readUntil, watchQuiet } from './polling.ts'
import { readState, readStatus } from './state.ts'
import type { Prepared } from './users.ts'

/** Refusals of a flow that has not reached the step yet. */
const tooEarly = ['NotAskedYet', 'NothingToDecide']

export interface RealRunParts extends Prepared {
  readonly api: Api
  readonly client: FlowClient
  readonly caseNo: string
  readonly flow: FlowDeclaration
  /** Absent for parts that others use too. Words that need their own are rejected before. */
  readonly own?: Pick<RealParts, 'bundle' | 'faults' | 'played' | 'replaceWorker' | 'windowFactor'>
  /** Lets time pass. */
  readonly pass: StoryParts['pass']
}

/** One story on real parts. Each word is repeated until the flow accepts it, or until the flow waits for a later word. */
export class RealRun implements StoryRun {
  readonly #parts: RealRunParts
  /** The moment that the story has reached. No factor scales it, and events take no time. */
  #reached: number

  constructor(parts: RealRunParts) {
    this.#parts = parts
    this.#reached = parts.values.start
  }

  get values(): RequestValues {
    return this.#parts.values
  }

  async perform(word: EventWord): Promise<void> {
    const { api, client, caseNo, own, values, pass } = this.#parts
    try {
      await tellWord(word, {
        values,
        faults: own?.faults ?? none,
        lost: own?.faults.lost ?? new Set(),
        shipmentUid: role => this.#shipmentUid(role),
        open: (role, code) => this.#open(role, code),
        call: (name: JsonOperationName, request: never) => api.call(name, request),
        update: update => this.#update(update),
        pass: async time => {
          const { start } = values
          this.#reached =
            'at' in time
              ? toMoment(time.at, { start }, this.#reached)
              : this.#reached + (parseDuration(time.after) ?? 0)
          await pass(time)
        },
        cancelInWebUi: async () => void (await client.handle(caseNo).cancel()),
        loseWorker: async () => own?.replaceWorker(),
      })
    } catch (error) {
      // The simulator names the code too.
      if (error instanceof ApiRefusal || error instanceof ApiFault) throw new Error(`${error.code}: ${error.message}`)
      throw error
    }
  }

  observe(matches: (state: StoryState) => boolean): Promise<StoryState> {
    const { client, caseNo, own } = this.#parts
    return readUntil(() => readState({ client, caseNo, ran: own?.played.get(caseNo)?.ran ?? [] }), matches)
  }

  /** Ignores activities between two attempts: their retries may go on for hours. */
  async settle(): Promise<void> {
    const handle = this.#parts.client.handle(this.#parts.caseNo)
    const describe = async () => (await handle.describe()).raw
    await readUntil(describe, ({ pendingActivities, pendingWorkflowTask }) => {
      return !pendingWorkflowTask && (pendingActivities ?? []).every(({ attempt }) => (attempt ?? 1) > 1)
    })
  }

  async edges(): Promise<readonly Edge[]> {
    const { caseNo, own, flow } = this.#parts
    // The paths cost a replay, which needs the code of the worker.
    if (own === undefined) return []
    const history = await this.history()
    const taken = await replayEdges(own.bundle, [{ workflowId: toWorkflowId(caseNo), history }])
    return taken.flatMap(edge => edgesOn(flow, edge))
  }

  /** The events of the flow so far. */
  history(): ReturnType<WorkflowHandle['fetchHistory']> {
    const { client, caseNo } = this.#parts
    return client.handle(caseNo).fetchHistory()
  }

  async close(): Promise<void> {
    const { client, caseNo, own } = this.#parts
    if (own === undefined) return
    own.faults.clear()
    own.played.delete(caseNo)
    await client.cancel(caseNo, 'the story is over', { timeout: reactionTime })
  }

  async #update({ name, argument }: StoryUpdate): Promise<void> {
    const { client, caseNo } = this.#parts
    if (name === 'cancel') return this.#cancel(argument.reason)
    await this.#accepted(() => {
      if (name === 'answer') return client.answer(caseNo, argument as never)
      const { by, ...decision } = argument
      return client.decide(caseNo, { ...decision, ...(by !== undefined && { by: this.#scaled(by) }) })
    })
  }

  /** Requests the cancellation without waiting for its end: the flow may need later events of the story. */
  async #cancel(reason: string): Promise<void> {
    const { client, caseNo } = this.#parts
    try {
      await client.handle(caseNo).startUpdate(messages.cancel, { args: [{ reason }], waitForStage: 'ACCEPTED' })
    } catch {
      // The client tells an ended flow from a refusal.
      await this.#accepted(() => client.cancel(caseNo, reason, { timeout: reactionTime }))
    }
  }

  /** Scales a duration, to at least a millisecond. */
  #scaled(duration: string) {
    return `${Math.max(1, Math.round((parseDuration(duration) ?? 0) * (this.#parts.own?.windowFactor ?? 1)))}ms` as const
  }

  async #shipmentUid(role: string): Promise<string> {
    const { client, caseNo, items } = this.#parts
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
    const { api } = this.#parts
    let refused: { readonly shipment: string; readonly error: Error } | undefined
    const attempt = async () => {
      const shipment = JSON.stringify((await api.call('GetShipments', { shipmentUid: uid })).items[0])
      if (refused?.shipment === shipment) return refused.error
      try {
        await openLocker(api, uid, code)
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
    const { client, caseNo } = this.#parts
    return watchQuiet(client.handle(caseNo))
  }
}

/** Parts that others use too have no faults. */
const none = { fail: () => undefined, recover: () => undefined }
