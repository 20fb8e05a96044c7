import type { Edge, FlowOutcome, Json } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { StartedStory } from './form.ts'
import type { RequestValues } from './request/index.ts'
import type { Expected, Fail, StoryWord } from './words.ts'

/** The parts that stories are told on. */
export interface StoryTarget {
  readonly parts: 'simulator' | 'real parts'
  /** The factor that scales all windows; absent where time costs nothing. */
  readonly windowFactor?: number
  /** Sentences about windows that have another length. */
  readonly windowExceptions?: readonly string[]
  /** The reason why these parts cannot tell a story; undefined if they can. */
  unsupported?(story: StartedStory, flow: FlowDeclaration): string | undefined
  /**
   * Creates the users and shipments of a story, and starts its flow.
   * @throws Error when they cannot be created
   */
  start(start: StoryStart): Promise<StoryRun>
  stop(): Promise<void>
}

export interface StoryStart {
  readonly story: StartedStory
  readonly flow: FlowDeclaration
  /** The words `fail` before any other: they apply from the start of the flow. */
  readonly failing: readonly Fail[]
}

/** A word that is no check. */
export type EventWord = Exclude<StoryWord, { readonly expect: Expected }>

/** One story between its start and its end. */
export interface StoryRun {
  /** The values of the placeholders of the story. */
  readonly values: RequestValues
  /** @throws Error when the event is impossible, for instance a locker that does not open */
  perform(word: EventWord): Promise<void>
  /** The state of the flow: the first one that matches, or the last one that these parts wait for. */
  observe(matches: (state: StoryState) => boolean): Promise<StoryState>
  /** Waits until the flow waits for an event, or has ended. Absent where each event takes effect at once. */
  settle?(): Promise<void>
  /** The edges of the declaration that the flow has taken, in their order. */
  edges(): Promise<readonly Edge[]>
  /** Ends a flow that still runs. */
  close(): Promise<void>
}

export interface StoryState {
  readonly step: string | null
  readonly overdue: boolean
  /** The end of the step's window, in ISO 8601; null without one. */
  readonly deadline: string | null
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
