import type { Edge, OpenQuestion, TakenEdge } from '#flows'
import { edgesOn } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import type { VirtualClock } from './clock.ts'
import type { SimulatedRun } from './run.ts'
import type { AnswerWanted, SentNotification, TimeLineEntry, TimeLineEvent } from './timeLine.ts'

/** Everything that has happened in a simulation. */
export class Notes {
  readonly #clock: Pick<VirtualClock, 'now'>
  readonly #timeLine: TimeLineEntry[] = []
  readonly #edges: Edge[] = []
  readonly #notifications: SentNotification[] = []
  readonly #answersWanted: AnswerWanted[] = []

  constructor(clock: Pick<VirtualClock, 'now'>) {
    this.#clock = clock
  }

  add(timeLineEvent: TimeLineEvent): void {
    this.#timeLine.push({ at: this.#clock.now(), ...timeLineEvent })
  }

  addEdge(declaration: FlowDeclaration | undefined, edge: TakenEdge): void {
    if (declaration !== undefined) this.#edges.push(...edgesOn(declaration, edge))
  }

  addNotification(notification: SentNotification['notification']): void {
    this.#notifications.push({ at: this.#clock.now(), notification })
  }

  /** Adds the question that the flow asks now, once for each step. */
  addQuestion(asks: OpenQuestion | null): void {
    if (asks === null || this.#answersWanted.at(-1)?.step === asks.step) return
    this.#answersWanted.push({ at: this.#clock.now(), ...asks })
  }

  /** Copies of all of it. */
  list(): Pick<SimulatedRun, 'timeLine' | 'edges' | 'notifications' | 'answersWanted'> {
    return {
      timeLine: [...this.#timeLine],
      edges: [...this.#edges],
      notifications: [...this.#notifications],
      answersWanted: [...this.#answersWanted],
    }
  }
}
