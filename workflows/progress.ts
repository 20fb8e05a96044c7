import { isRecord, type StateCode } from '#contract/terms'
import {
  type AnswerUpdate,
  evaluate,
  type FlowOutcome,
  type FlowPlan,
  type FlowShipment,
  isBlock,
  type Json,
  type LeftOver,
  type PlannedBlock,
  type PlannedStep,
  type Rejection,
  type Values,
} from '#flows'
import type { LeftStep } from '#flows/pictureOfRun'
import { isUnder, keysFrom, readScope, scopesAround, toName } from './scopes.ts'
import { startToken, type Token } from './tokens.ts'

/** A shipment of the flow, in its last known state. */
export interface ShipmentProgress extends FlowShipment {
  /** As the service wrote it; empty when unknown. */
  stateStart: string
  /** Its scope was left early and undone, or the flow has cancelled it: it goes on without it. */
  undone?: true
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
export interface FlowProgress extends Readonly<Position>, Readonly<Answers>, Readonly<Undo> {
  readonly plan: FlowPlan
  readonly lockers: LockerState
  rejections: Rejection[]
  /** Notifications so far; absent in a flow that sends none. */
  notificationCount?: number
  /** A run of the flow was reset before the one that has this progress. */
  reset?: true
  /** Answers that were applied again after a reset, to steps that the flow has not reached. Absent without one. */
  earlyAnswers?: readonly AnswerUpdate[]
  /** How far the flow is ahead of Temporal's clock, and how far it is to be. Absent outside of staging. Milliseconds. */
  clock?: { ahead: number; target: number }
}

/** Written in position.ts. */
export interface Position {
  /** In the order in which they began. The first one is that of the flow itself. Each is written in tokens.ts. */
  tokens: readonly Token[]
  /** The steps that the flow has left, in order. Absent before the first one. */
  way?: readonly LeftStep[]
  /** The items of loops, by the ids of their tokens: undoing reads them too. Absent before the first one. */
  items?: Readonly<Record<string, Json>>
  /** The flow ends, and undoes its steps. */
  ending?: Ending
}

/** What a flow knows of its lockers. */
export interface LockerState extends Readonly<Polls>, Readonly<Shipments> {}

/** Written in lockers/polls.ts. */
export interface Polls {
  /** Null for a service that cannot be read, and while no shipment needs polls. */
  nextPoll: number | null
  /** Scheduled polls since a step began. */
  pollCount: number
  /** The start of the last poll that the service answered. Absent before the first one. */
  polledAt?: number
  /** Callbacks that no poll has confirmed yet, and the next poll for them. Absent without one. */
  unconfirmed?: { readonly claims: readonly Claim[]; readonly polls: number; readonly nextPoll: number }
  /** A callback of the flow has arrived. Noted only while the plan polls early without one. */
  calledBack?: true
}

/** Written in lockers/shipments.ts. */
export interface Shipments {
  /** The shipments of all bookings, in their order. */
  shipments: readonly ShipmentProgress[]
  /** By the key of the step's effect. */
  bookings: Readonly<Record<string, BookingProgress>>
  /** The failure of the first booking, for callers that ask for it later. */
  bookingFailure?: FailureText
  /** The steps whose policy was applied to the present outage of a locker, and whether they asked. Absent without one. */
  outages?: readonly Outage[]
}

export interface Outage {
  /** The id of the token. */
  readonly token: string
  /** The index of the step. */
  readonly step: number
  readonly asked: boolean
}

/** Written in answers.ts. */
export interface Answers {
  /** By the key of the step's value. */
  outputs: Readonly<Record<string, Json>>
  /** By the key of the step's value. */
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
  /** The id of its token; absent for that of the flow. */
  readonly token?: string
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
  /** The id of its token; absent for that of the flow. */
  readonly token?: string
  /** started: the flow has no result of it, and it may have taken effect. */
  readonly state: 'started' | 'done'
  /** Indexes of complete steps that end a sentence of it. Absent: none. */
  readonly over?: readonly number[]
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
}

export function startProgress(plan: FlowPlan, now: number): FlowProgress {
  return {
    plan,
    tokens: [startToken('', null, 0, plan.steps.length, now)],
    lockers: { nextPoll: null, pollCount: 0, shipments: [], bookings: {} },
    outputs: {},
    answered: {},
    undo: [],
    rejections: [],
    leftOver: [],
    ...(plan.clock && { clock: { ...plan.clock, target: plan.clock.ahead } }),
  }
}

/** The step at which a token stands; undefined at the end of its list. */
export function stepOf({ plan }: Pick<FlowProgress, 'plan'>, { step, to }: Token): PlannedStep | undefined {
  return step < to ? plan.steps[step] : undefined
}

/**
 * The values that conditions, sources and moments of the plan read. A role has the uid of its shipment, which never changes.
 * Inside of loops a name is that of its own item and round.
 */
export function toValues(progress: Pick<FlowProgress, 'plan' | 'outputs' | 'lockers' | 'items'>, scope = ''): Values {
  const { plan, outputs, lockers } = progress
  const roles = lockers.shipments.map(({ role, shipmentUid }) => [role, { shipmentUid }] as const)
  const values: Record<string, Json> = { input: plan.input, ...outputs }
  // A wait can have the name of a role.
  for (const [role, uid] of roles) values[role] = mergeFields(values[role], uid)
  if (scope === '') return values
  const names = new Set(Object.keys(values).map(toName))
  for (const name of names) {
    const found = keysFrom(scope, name).find(key => Object.hasOwn(values, key))
    if (found !== undefined && found !== name) values[name] = values[found] as Json
  }
  for (const id of scopesAround(scope)) Object.assign(values, loopValues(progress, values, id))
  return values
}

function mergeFields(one: Json | undefined, other: Json): Json {
  return isRecord<Json>(one) && isRecord<Json>(other) ? { ...one, ...other } : other
}

/** The item of a list, and the number of a round. */
function loopValues({ plan, items = {} }: Pick<FlowProgress, 'plan' | 'items'>, values: Values, id: string): Values {
  const { block, round } = readScope(id)
  if (round !== undefined) return { [block]: mergeFields(values[block], { round }) }
  const step = plan.steps.find(({ name }) => name === block)
  return step?.kind === 'forEach' && Object.hasOwn(items, id) ? { [step.item]: items[id] } : {}
}

/** The output of a step as a scope reads it; undefined without one. */
export function findOutput({ outputs }: Pick<FlowProgress, 'outputs'>, scope: string, name: string): Json | undefined {
  const key = keysFrom(scope, name).find(each => Object.hasOwn(outputs, each))
  return key === undefined ? undefined : outputs[key]
}

/** True if the token is in the step or enters it next: one that has just come to it may not have entered it yet. */
export function isIn(progress: FlowProgress, token: Token, step: PlannedStep): boolean {
  if (stepOf(progress, token) !== step || isLeft(progress, token.id)) return false
  return token.entered || step.when === undefined || evaluate(step.when, toValues(progress, token.id))
}

/**
 * True if a token can still come to the step of this index. The step of a token counts until it has begun.
 * @param of another step: a further round of a loop around it does not count
 */
export function isAhead({ plan, tokens }: Pick<FlowProgress, 'plan' | 'tokens'>, index: number, of = -1): boolean {
  return tokens.some(token => {
    const { step, to, entered } = token
    if (index >= to) return false
    if (!entered) return index >= step
    if (index <= step) return false
    // Tokens of their own stand in a block that has begun. A loop can begin more of them.
    const block = plan.steps[step]
    if (block === undefined || !isBlock(block) || index >= block.end) return true
    const isInside = of > step && of < block.end
    return !isInside && hasMore(block, token)
  })
}

/** True for a loop that can begin another item or round. */
function hasMore(block: PlannedBlock, { block: state }: Token): boolean {
  if (block.kind === 'repeat') return (state?.started ?? 0) < block.atMost
  return block.kind === 'forEach' && (state?.started ?? 0) < (state?.keys?.length ?? 0)
}

/** The token that stands at the block around a scope; undefined for that of the flow. */
export function holderOf({ tokens }: Pick<FlowProgress, 'tokens'>, { up }: Token): Token | undefined {
  return up === null ? undefined : tokens.find(({ id }) => id === up)
}

/** True if the scope is left early: its steps do not go on, and are undone. */
export function isLeft({ tokens }: Pick<FlowProgress, 'tokens'>, id: string, except?: Token): boolean {
  return tokens.some(token => token !== except && token.leaving?.scopes.some(scope => isUnder(id, scope)))
}

/** True if the step of this index has begun, and goes on. */
export function isUnderWay({ tokens }: Pick<FlowProgress, 'tokens'>, index: number): boolean {
  return tokens.some(({ step, to, entered }) => entered && step === index && index < to)
}

/** True if a token stands at the step of this index. */
export function isAt({ tokens }: Pick<FlowProgress, 'tokens'>, index: number): boolean {
  return tokens.some(({ step, to }) => step === index && index < to)
}

/** True for a flow with book steps that has left all of them behind, or a booking. */
export function isPastBooking(progress: Pick<FlowProgress, 'plan' | 'tokens' | 'lockers'>): boolean {
  const books = [...progress.plan.steps.entries()].filter(([, { kind }]) => kind === 'book')
  const isBehind = ([index]: readonly [number, PlannedStep]) => !isAt(progress, index) && !isAhead(progress, index)
  const hasBooked = ([, { name }]: readonly [number, PlannedStep]) => progress.lockers.bookings[name]?.booked === true
  return books.some(book => isBehind(book) && hasBooked(book)) || (books.length > 0 && books.every(isBehind))
}
