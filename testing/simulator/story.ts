import type { Duration, Json } from '#flows'

/** A user of the simulation. Each number is one account. */
export interface UserReference {
  readonly $user: number
}

/** A moment in ISO 8601, or a time after the start of the flow. */
export type MomentReference = string | { readonly $in: Duration }

/** Work of a step that fails: one of `book`, `call` (an operation) and `run` (an activity); a code, or a fault. */
export interface FailingWork {
  readonly book?: string
  readonly call?: string
  readonly run?: string
  /** Attempts that fail; all of them by default. */
  readonly times?: number
  /** The code of the refusal, or the type of the failure of an activity. */
  readonly code?: string
  /**
   * unavailable: it gets 503, and nothing is done. requestLost: it is sent and does not arrive. responseLost: it is done, and
   * the response is lost.
   */
  readonly fault?: 'unavailable' | 'requestLost' | 'responseLost'
  /** With a code: the operation is done, and the refusal has the fields of its response. */
  readonly done?: true
}

/** An event of a story. Roles are those of the flow, and the names of shipments that exist before it. */
export type StoryEvent =
  /** A person places the item, or collects it, by the code of the locker. */
  | { readonly dropOff: string }
  | { readonly pickUp: string }
  /** Another program changes a shipment in the service. */
  | { readonly cancelShipment: string }
  | { readonly setReceiver: string; readonly user?: UserReference }
  /** Updates of the flow. */
  | {
      readonly answer: string
      readonly step: string
      readonly fields?: Readonly<Record<string, Json>>
      readonly by?: string
    }
  | { readonly decide: 'extend' | 'keepWaiting' | 'cancel'; readonly by?: Duration }
  /** @property cancel the reason */
  | { readonly cancel: string }
  | { readonly assignReceiver: UserReference | { readonly uid: string } }
  | { readonly release: string }
  /** The cancel button of the Web UI. */
  | { readonly cancelInWebUi: true }
  /** Time passes. */
  | { readonly after: Duration }
  | { readonly at: MomentReference }
  | { readonly fail: FailingWork }
  | { readonly recover: string }
  | { readonly loseWorker: true }
  /** Callbacks about a shipment are lost from now on, or arrive again. */
  | { readonly loseCallbacks: string }
  | { readonly deliverCallbacks: string }
  /** Checked by the runner of test cases. */
  | { readonly expect: object }

/** The result of a run step. Its activity never runs in a simulation. */
export interface RunResult {
  readonly returns: Readonly<Record<string, Json>>
  /** The time that the work takes; none by default. A cancellation stops it only in a step with `heartbeat`. */
  readonly takes?: Duration
}

/** A shipment that exists before the flow. inStock and returned: its item is in the locker. */
export type Before = 'inStock' | 'announced' | 'returned'
