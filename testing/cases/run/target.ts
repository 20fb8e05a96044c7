import type { Edge, FlowOutcome, Json } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { TestCase } from '../format/case.ts'
import type { Expected, Fail, StoryWord } from '../format/words.ts'
import type { RequestValues } from './request/index.ts'

/** The parts that cases run on. */
export interface CaseTarget {
  readonly parts: 'simulator' | 'real parts'
  /** The factor that scales all windows; absent where time costs nothing. */
  readonly windowFactor?: number
  /** Sentences about windows that have another length. */
  readonly windowExceptions?: readonly string[]
  /** The reason why these parts cannot run a case; undefined if they can. */
  unsupported?(test: TestCase, flow: FlowDeclaration): string | undefined
  /**
   * Creates the users and shipments of a case, and starts its flow.
   * @throws Error when they cannot be created
   */
  start(start: CaseStart): Promise<CaseRun>
  stop(): Promise<void>
}

export interface CaseStart {
  readonly test: TestCase
  readonly flow: FlowDeclaration
  /** The words `fail` before any other: they apply from the start of the flow. */
  readonly failing: readonly Fail[]
}

/** A word that the runner does not check itself. */
export type EventWord = Exclude<StoryWord, { readonly expect: Expected }>

/** One case between its start and its end. */
export interface CaseRun {
  /** The values of the placeholders of the case. */
  readonly values: RequestValues
  /** @throws Error when the event is impossible, for instance a locker that does not open */
  perform(word: EventWord): Promise<void>
  /** The state of the flow: the first one that matches, or the last one that these parts wait for. */
  observe(matches: (state: CaseState) => boolean): Promise<CaseState>
  /** Waits until the flow waits for an event, or has ended. Absent where each event takes effect at once. */
  settle?(): Promise<void>
  /** The edges of the declaration that the flow has taken, in their order. */
  edges(): Promise<readonly Edge[]>
  /** Ends a flow that still runs. */
  close(): Promise<void>
}

export interface CaseState {
  readonly step: string | null
  readonly overdue: boolean
  /** The details in the Web UI, as Markdown. */
  readonly currentDetails: string
  /** Null while the flow runs. */
  readonly outcome: FlowOutcome | 'failed' | null
  /** The code of the failure of a failed flow. */
  readonly code: string | null
  /** The message of that failure. */
  readonly message: string | null
  readonly shipments: readonly { readonly role: string; readonly stateCode: string }[]
  readonly leftOver: readonly { readonly role: string | null; readonly step: string; readonly reason: string }[]
  /** The activities of run steps that have succeeded, and those that undid work, in their order. */
  readonly ran: readonly string[]
  /** Fields of the result; empty while the flow runs. */
  readonly outputs: Readonly<Record<string, Json>>
}
