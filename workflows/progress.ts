import type { StateCode } from '#contract/terms'
import {
  type AnswerUpdate,
  evaluate,
  type FlowOutcome,
  type FlowPlan,
  type FlowShipment,
  type Json,
  type LeftOver,
  type PlannedStep,
  type Rejection,
  type Values,
} from '#flows'
import type { LeftStep } from '#flows/pictureOfRun'

/** A shipment of the flow, in its last known state. */
export interface ShipmentProgress extends FlowShipment {
  /** As the service wrote it; empty when unknown. */
  stateStart: string
}

/** The state of a shipment in a callback without a proof: the signature covers the uid only, or the state is impossible. */
export interface Claim {
  readonly shipmentUid: string
  readonly stateCode: StateCode
}

/**
 * The progress of a planned flow: the state that continue-as-new passes to the next run. Each of its groups is written in
 * one file only. Moments are in milliseconds.
 */
export interface FlowProgress
  extends Readonly<Position>,
    Readonly<Polls>,
    Readonly<Shipments>,
    Readonly<Answers>,
    Readonly<Undo> {
  readonly plan: FlowPlan
  rejections: Rejection[]
  /** Notifications so far; absent in a flow that sends none. */
  notificationCount?: number
  /** The id of the last notification that the flow is overdue, while no decision has answered it. */
  overdueNotice?: string
  /** A run of the flow was reset before the one that has this progress. */
  reset?: true
  /** Answers that were applied again after a reset, to steps that the flow has not reached. Absent without one. */
  earlyAnswers?: readonly AnswerUpdate[]
  /** How far the flow is ahead of Temporal's clock, and how far it is to be. Absent outside of staging. Milliseconds. */
  clock?: { ahead: number; target: number }
}

/** Written in position.ts. */
export interface Position {
  /** Index of the current step. */
  step: number
  /** The step has begun: its window runs. */
  entered: boolean
  /** The start of the step. */
  since: number
  deadline: number | null
  /** An activity resolves the deadline; the flow does not continue as new meanwhile. */
  resolving?: true
  overdue: boolean
  /** When the flow became overdue. Absent while it is not, and in runs that began without it. */
  overdueSince?: number
  /** The steps that the flow has left, in order. Absent in runs that began without it. */
  way?: readonly LeftStep[]
  /** The flow ends, and undoes its steps. */
  ending?: Ending
}

/** Written in lockers/polls.ts. */
export interface Polls {
  /** Null for a service that cannot be read, and while no shipment needs polls. */
  nextPoll: number | null
  /** Scheduled polls in this step. */
  pollCount: number
  /** Callbacks that no poll has confirmed yet, and the next poll for them. Absent without one. */
  unconfirmed?: { readonly claims: readonly Claim[]; readonly polls: number; readonly nextPoll: number }
  /** A callback of the flow has arrived. Noted only while the plan polls early without one. */
  calledBack?: true
}

/** Written in lockers/shipments.ts. */
export interface Shipments {
  /** The shipments of all bookings, in their order. */
  shipments: readonly ShipmentProgress[]
  /** By the name of the book step. */
  bookings: Readonly<Record<string, BookingProgress>>
  /** The failure of the first booking, for callers that ask for it later. */
  bookingFailure?: FailureText
  /** The step whose policy was applied to the present outage of a locker, and whether it asked. Absent without one. */
  outOfService?: { readonly step: number; readonly asked: boolean }
}

/** Written in answers.ts. */
export interface Answers {
  /** By the name of the step. */
  outputs: Readonly<Record<string, Json>>
  /** By the name of the ask step. */
  answered: Readonly<Record<string, GivenAnswer>>
}

/** Written in undoList.ts. */
export interface Undo {
  /** Everything that the end of the flow has to undo, in the order of the steps. */
  undo: readonly UndoEntry[]
  leftOver: readonly LeftOver[]
  /** Duplicate bookings that could not be cancelled. */
  duplicatesLeft?: readonly LeftOver[]
}

export interface BookingProgress {
  /** The start of the first attempt. */
  readonly startedAt: number
  readonly booked: boolean
  /** The moment until which a create without a response can still book a second time; null when it cannot. */
  readonly duplicatesUntil: number | null
}

export interface GivenAnswer {
  readonly by: string | null
  /** ISO 8601 in UTC. */
  readonly at: string
}

/** Noted before the effect of the step starts, so that no effect is forgotten. */
export interface UndoEntry {
  /** Index of the step. */
  readonly step: number
  /** started: the flow has no result of it, and it may have taken effect. */
  readonly state: 'started' | 'done'
}

/** The type is a code of the error table. */
export interface FailureText {
  type: string
  message: string
  /** The id of the request that the service refused. */
  requestId?: string
}

export interface Ending {
  outcome: FlowOutcome | 'failed'
  failure?: FailureText
  /** The kept booking of this role ends. */
  released?: string
}

export function startProgress(plan: FlowPlan, now: number): FlowProgress {
  return {
    plan,
    step: 0,
    entered: false,
    since: now,
    deadline: null,
    nextPoll: null,
    pollCount: 0,
    overdue: false,
    shipments: [],
    bookings: {},
    outputs: {},
    answered: {},
    undo: [],
    rejections: [],
    leftOver: [],
    ...(plan.clock && { clock: { ...plan.clock, target: plan.clock.ahead } }),
  }
}

/** The current step; undefined after the last one. */
export function currentStep({ plan, step }: Pick<FlowProgress, 'plan' | 'step'>): PlannedStep | undefined {
  return plan.steps[step]
}

/** The values that conditions, sources and moments of the plan read. A role has the uid of its shipment, which never changes. */
export function toValues({ plan, outputs, shipments }: FlowProgress): Values {
  const roles = shipments.map(({ role, shipmentUid }) => [role, { shipmentUid }] as const)
  return { input: plan.input, ...outputs, ...Object.fromEntries(roles) }
}

/** True if the flow is in the step or enters it next: a run that has just begun may not have entered it yet. */
export function isIn(progress: FlowProgress, step: PlannedStep): boolean {
  if (currentStep(progress) !== step) return false
  return progress.entered || step.when === undefined || evaluate(step.when, toValues(progress))
}

/** True for a flow with book steps that has left all of them behind, or a booking. */
export function isPastBooking({ plan, step, bookings }: Pick<FlowProgress, 'plan' | 'step' | 'bookings'>): boolean {
  const books = [...plan.steps.entries()].filter(([, { kind }]) => kind === 'book')
  const isBehind = books.some(([index, { name }]) => index < step && bookings[name]?.booked)
  return isBehind || (books.length > 0 && books.every(([index]) => index < step))
}
