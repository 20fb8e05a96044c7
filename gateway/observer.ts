import type { Client } from '@temporalio/client'
import type { Outcome } from './outcomes.ts'

/** The parts of a gateway that are measured. */
export interface Measured {
  readonly client: Client
  readonly namespace: string
  /** Undefined if its pollers are not counted. */
  readonly taskQueue: string | undefined
  readonly state: { readonly temporal: boolean; readonly service: boolean }
}

/** Receives the events that the metrics of a gateway count. A gateway without metrics has none, so they cost nothing. */
export interface Observer {
  received(outcome: Outcome, durationMs: number): void
  /** A request of a caller was answered. @param code an error code, or `ok` */
  flowApiAnswered(operation: string, code: string, durationMs: number): void
  flowApiStreams(open: number): void
  /** Measures until the returned function is called. */
  measure(measured: Measured): () => void
}
