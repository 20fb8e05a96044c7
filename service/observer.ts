import type { FastifyInstance } from 'fastify'
import type { Store } from './store/index.ts'

/** The outcome of a delivery, as a label of its metric. */
export type DeliveryResult = 'delivered' | 'failed' | 'given_up'

/** Receives the events of the service that its metrics count. A service without metrics has none, so they cost nothing. */
export interface Observer {
  /** Call it before the routes are added. */
  observeServer(app: FastifyInstance): void
  /** @param durationMs of the delivery and the record of its outcome */
  delivered(result: DeliveryResult, durationMs: number): void
  /** Measures the store until the returned function is called. */
  measure(store: Store): () => void
}
