import { isDeepStrictEqual } from 'node:util'
import type { TakenEdge } from '#flows'
import type { Cancellable } from '#workflows/runtime'
import type { SimulatedRunIds } from './runInfo.ts'
import type { Job, Server } from './server.ts'
import type { TimeLineEvent } from './timeLine.ts'

/** A workflow task that has run. */
interface RecordedTask {
  /** Milliseconds since 1970. */
  readonly now: number
  readonly jobs: readonly Job[]
}

/** One run of a flow with everything that its replay needs, as Temporal's history has it. */
export class RecordedRun {
  readonly ids: Omit<SimulatedRunIds, 'attributes'>
  readonly args: readonly unknown[]
  /** The search attributes at its start, by name. */
  readonly attributes: Readonly<Record<string, unknown>>
  isOver = false
  readonly #server: Server
  readonly #tasks: RecordedTask[] = []
  readonly #uuids: string[] = []
  readonly #timeLineEvents: TimeLineEvent[] = []
  readonly #started = new Map<number, Cancellable>()
  #replay: { now: number; uuids: number; timeLineEvents: number } | undefined

  constructor(server: Server, { ids, args, attributes }: Pick<RecordedRun, 'ids' | 'args' | 'attributes'>) {
    this.#server = server
    this.ids = ids
    this.args = args
    this.attributes = { ...attributes }
  }

  /** Notes a task that begins now, and returns its index. */
  addTask(jobs: readonly Job[]): number {
    return this.#tasks.push({ now: this.#server.now(), jobs }) - 1
  }

  /**
   * Runs all tasks again.
   * @throws Error when the flow does something other than before
   */
  async replay(runTask: (jobs: readonly Job[], index: number) => Promise<void>): Promise<void> {
    const replay = { now: 0, uuids: 0, timeLineEvents: 0 }
    this.#replay = replay
    try {
      for (const [index, { now, jobs }] of this.#tasks.entries()) {
        replay.now = now
        await runTask(
          jobs.filter(({ isRejected }) => isRejected?.() !== true),
          index,
        )
      }
      const missing = this.#timeLineEvents[replay.timeLineEvents]
      if (missing !== undefined) throw differs(missing, undefined)
    } finally {
      this.#replay = undefined
    }
  }

  /** The server as the run sees it. In a replay, it only compares. */
  createServer(): Server & { readonly begin: (number: number, start: () => Cancellable) => Cancellable } {
    const server = this.#server
    const unlessReplayed = <Args extends readonly unknown[]>(act: (...args: Args) => void) => {
      return (...args: Args) => {
        if (this.#replay === undefined) act(...args)
      }
    }
    return {
      ...server,
      now: () => this.#replay?.now ?? server.now(),
      uuid: () => this.#uuid(),
      note: timeLineEvent => this.#note(timeLineEvent),
      record: unlessReplayed((edge: TakenEdge) => server.record(edge)),
      noteCallback: unlessReplayed(() => server.noteCallback()),
      // Nothing of a run reaches the next one.
      arrive: unlessReplayed((job: Job) => {
        if (!this.isOver) server.arrive(job)
      }),
      begin: (number, start) => this.#begin(number, start),
    }
  }

  #uuid(): string {
    const replay = this.#replay
    const known = replay === undefined ? undefined : this.#uuids[replay.uuids++]
    if (known !== undefined) return known
    const uuid = this.#server.uuid()
    this.#uuids.push(uuid)
    return uuid
  }

  #note(timeLineEvent: TimeLineEvent): void {
    const replay = this.#replay
    if (replay === undefined) {
      // A rejected update is not replayed.
      if (timeLineEvent.kind !== 'refused') this.#timeLineEvents.push(timeLineEvent)
      this.#server.note(timeLineEvent)
      return
    }
    const recorded = this.#timeLineEvents[replay.timeLineEvents++]
    if (!isDeepStrictEqual(recorded, timeLineEvent)) throw differs(recorded, timeLineEvent)
  }

  #begin(number: number, start: () => Cancellable): Cancellable {
    const known = this.#started.get(number)
    if (this.#replay !== undefined && known !== undefined) return known
    const started = start()
    this.#started.set(number, started)
    return started
  }
}

function differs(recorded: TimeLineEvent | undefined, replayed: TimeLineEvent | undefined): Error {
  const [before, now] = [recorded, replayed].map(timeLineEvent => JSON.stringify(timeLineEvent) ?? 'nothing')
  return new Error(`The replay of the flow differs from its history: recorded ${before}, replayed ${now}.`)
}
