import type { Connection } from '@temporalio/client'
import type { TemporalTarget } from '#client/connection'
import type { ApiSettings } from '#contract/client'

/** The state of a part. `unknown` needs another part that is not sound. */
export type State = 'ok' | 'wrong' | 'unknown'

/** The line of one part. */
export interface Diagnosis {
  readonly part: string
  readonly state: State
  readonly found: string
  /** The remedy as a sentence. Only a wrong part has one. */
  readonly remedy?: string | undefined
}

/** The outcome of one check, without its name. */
export type Finding = Omit<Diagnosis, 'part'>

/** Everything that the checks examine. */
export interface Installation {
  readonly environment: NodeJS.ProcessEnv
  readonly target: TemporalTarget
  readonly api: ApiSettings
  /** Undefined if Temporal cannot be reached. */
  readonly connection: Connection | undefined
  /** Why Temporal cannot be reached. */
  readonly unreachable: string | undefined
}

/** Milliseconds for the answer of one part. */
export const answerTimeout = 5_000

export const ok = (found: string): Finding => ({ state: 'ok', found })
export const wrong = (found: string, remedy: string): Finding => ({ state: 'wrong', found, remedy })
export const unknown = (found: string): Finding => ({ state: 'unknown', found })

/** The text of an error of `fetch` or of a client of Temporal, with its reason. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { cause } = error
  if (cause instanceof AggregateError && cause.errors.length > 0) return reasonOf(cause.errors[0])
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message
}
