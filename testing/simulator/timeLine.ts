import type { FlowNotification, FlowResult, Json, OpenQuestion, ShipmentStatus } from '#flows'
import type { StoryEvent } from '#testing/story'

/** An event of a simulated flow, in the terms of Temporal's history; `storyEvent` and `refused` are in no history. */
export type TimeLineEvent =
  /** An event of the story. */
  | { readonly kind: 'storyEvent'; readonly event: StoryEvent }
  | { readonly kind: 'started' }
  | { readonly kind: 'signal'; readonly signal: string; readonly argument: ShipmentStatus }
  | { readonly kind: 'updateAccepted'; readonly update: string; readonly argument: unknown }
  | {
      readonly kind: 'updateCompleted'
      readonly update: string
      readonly result: unknown
      readonly code: string | undefined
    }
  /** The validator rejected the update. */
  | { readonly kind: 'refused'; readonly update: string; readonly code: string; readonly message: string }
  | {
      readonly kind: 'activityScheduled'
      readonly activity: string
      readonly summary: string
      readonly args: readonly unknown[]
    }
  | {
      readonly kind: 'activityCompleted'
      readonly activity: string
      readonly attempts: number
      readonly result: unknown
    }
  | { readonly kind: 'activityFailed'; readonly activity: string; readonly attempts: number; readonly code: string }
  | { readonly kind: 'activityTimedOut'; readonly activity: string; readonly attempts: number }
  | { readonly kind: 'activityCancelRequested'; readonly activity: string }
  | { readonly kind: 'activityCanceled'; readonly activity: string }
  /** @property length milliseconds */
  | { readonly kind: 'timerStarted'; readonly summary: string; readonly length: number }
  | { readonly kind: 'timerFired'; readonly summary: string }
  | { readonly kind: 'timerCanceled'; readonly summary: string }
  | { readonly kind: 'attributes'; readonly changed: Readonly<Record<string, unknown>> }
  | { readonly kind: 'childInitiated'; readonly workflow: string; readonly summary: string; readonly args: Json }
  | { readonly kind: 'childStarted'; readonly workflow: string }
  | { readonly kind: 'childCompleted'; readonly workflow: string }
  | { readonly kind: 'cancelRequested' }
  | { readonly kind: 'completed'; readonly result: FlowResult }
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }
  | { readonly kind: 'continuedAsNew' }

/** @property at milliseconds since 1970 */
export type TimeLineEntry = TimeLineEvent & { readonly at: number }

/** A notification that the flow has sent. */
export interface SentNotification {
  readonly at: number
  readonly notification: FlowNotification
}

/** A question that the flow has asked. */
export interface AnswerWanted extends OpenQuestion {
  readonly at: number
}
