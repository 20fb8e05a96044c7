import type { Client } from '@temporalio/client'
import type { FlowClient } from '#client'
import type { Api } from '#contract/client'
import type { FlowDeclaration } from '#flows/declaration'
import type { Topology } from '#service'
import type { Clock, Snapshot } from '#testing/stack'
import type { OwnActivity } from '#worker'
import type { Faults } from './faults.ts'
import type { Journal } from './journal.ts'
import type { Notifications } from './notifications.ts'
import type { People } from './people.ts'
import type { CallbackEntry, RequestEntry } from './traffic.ts'

/** Options of `startService`. */
export interface ServiceOptions {
  /** A topology, or the path of its file; by default the built-in one with three pick up points. */
  readonly topology?: Topology | string
}

/** A service in this process, with an empty store in memory. */
export interface LockerService extends AsyncDisposable {
  /** The base URL, which is also the address of the token endpoint. */
  readonly url: string
  readonly credentials: { readonly clientId: string; readonly clientSecret: string }
  /** Typed calls of its operations. */
  readonly api: Api
  readonly people: People
  /** Moves the clock of the service. */
  readonly clock: Clock
  stop(): Promise<void>
}

/** Options of `startLockers`. */
export interface LockersOptions<Own extends FlowDeclaration = never> extends ServiceOptions {
  /** Declarations of your own flows. */
  readonly flows?: readonly Own[]
  /** Their activities, by name. */
  readonly activities?: Readonly<Record<string, OwnActivity>>
  /** The path of their calendar file; by default weekdays from nine to five, without holidays, as for test cases. */
  readonly calendars?: string
  /**
   * A running Temporal server that several stacks share, each with a task queue of its own. Their case numbers must differ.
   * By default the stack has a dev server of its own, and TEMPORAL_ADDRESS is ignored.
   */
  readonly temporal?: { readonly address: string; readonly namespace: string }
  /** A prebuilt bundle of the workflows; by default one is built once per process. */
  readonly bundle?: { readonly code: string }
  /** Receives the progress of the start, such as the one-time build of Temporal's command. */
  readonly progress?: (line: string) => void
}

/** Service, gateway, Temporal and worker in this process, with the people and faults around them. */
export interface Lockers<Own extends FlowDeclaration = never> extends AsyncDisposable {
  readonly service: { readonly url: string; readonly credentials: LockerService['credentials'] }
  readonly gateway: { readonly url: string }
  readonly temporal: { readonly address: string; readonly namespace: string; readonly taskQueue: string }
  /** Typed calls of the service's operations, past all faults. */
  readonly api: Api
  /** Temporal's client, for workflows of your own. */
  readonly client: Client
  readonly flows: FlowClient<Own>
  readonly people: People
  readonly notifications: Notifications
  /** The callbacks that reached the gateway, or were to. */
  readonly callbacks: Journal<CallbackEntry>
  /** The requests of the flows to the service. */
  readonly requests: Journal<RequestEntry>
  readonly faults: Faults
  readonly clock: Clock
  /**
   * Saves the service, the clock and the flows that wait. Take it while they wait, and not while they work: an activity
   * that was under way runs again.
   */
  snapshot(): Promise<Snapshot>
  /**
   * Returns to a snapshot of this stack. Temporal resets its flows to their last workflow task, including those that have ended
   * since, and terminates the later ones. Journals, faults and the audit log stay. Requests and callbacks under way are dropped.
   */
  restore(snapshot: Snapshot): Promise<void>
  /**
   * Returns to the start: no flows, no faults, empty journals, and the service as the topology makes it. The case numbers of flows
   * that have completed stay in use.
   */
  reset(): Promise<void>
  /**
   * Replays the recorded histories of a folder with the workflows of this stack, and returns their number.
   * @throws Error that names each history which does not replay
   */
  replay(folder: string): Promise<number>
  /** Returns the history of a flow as the JSON that `replay` reads, and writes it to a file if one is given. */
  recordHistory(caseNo: string, file?: string): Promise<string>
  stop(): Promise<void>
}
