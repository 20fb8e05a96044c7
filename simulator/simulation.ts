import { ApplicationFailure } from '@temporalio/common'
import { createActivities, type FlowActivities } from '#activities'
import { ApiFault, ApiRefusal, type JsonOperationName } from '#api'
import { type Calendars, testCalendars } from '#calendars'
import { toInstant, toRequest } from '#cases/request'
import { fingerprint, type RequestOf, type ResponseOf } from '#contract'
import { fullProfile, type ServiceProfile } from '#contract/terms'
import { edgesOn } from '#declarations'
import {
  flows as builtIn,
  type Duration,
  type Edge,
  type FlowInput,
  type FlowStatus,
  type Json,
  parseDuration,
  type ShipmentStatus,
  searchAttributes,
  toStarterView,
  toWorkflowId,
} from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { normalizeMessage, readMessage } from '#gateway/message'
import type { Topology } from '#service'
import { ActivityRunner, runInContext } from './activities.ts'
import { type Ambient, runInside } from './ambient.ts'
import { VirtualClock } from './clock.ts'
import { type Delivery, inOrder, Mailbox } from './delivery.ts'
import { Execution } from './execution.ts'
import { Faults } from './faults.ts'
import { SeededRandom } from './random.ts'
import { type SimulatedRun, toSimulatedRun } from './run.ts'
import type { Job, Server, UpdateEnd, UpdateName } from './runtime.ts'
import type { Before, MomentReference, RunResult, StoryEvent } from './story.ts'
import { createBefore, createThings, openLocker, type Things } from './things.ts'
import type { AnswerWanted, SentNotification, TimeLineEntry } from './timeLine.ts'
import { borrowWorld, returnWorld, type World, worldStart } from './world.ts'

export interface SimulationOptions {
  /** The flows that can start; by default those of the project. */
  readonly flows?: Readonly<Record<string, FlowDeclaration>>
  /** Uids, poll intervals and codes repeat for a seed; 1 by default. */
  readonly seed?: number
  /** The start of the clock, in milliseconds since 1970; by default 2027-03-01T08:00:00Z, a Monday. */
  readonly startAt?: number
  /** The pick up points of the service; by default those of the demonstration. */
  readonly topology?: Topology
  /** The flow sends notifications, which the simulation collects. */
  readonly notifications?: boolean
  /** The abilities of the service; by default all. */
  readonly profile?: ServiceProfile
  /** In milliseconds; by default those of a worker. */
  readonly pollInterval?: { readonly initial: number; readonly maximum: number }
  /** Milliseconds that a create without a response may take to reach the service. */
  readonly createDelay?: number
  /** By default those of `testCalendars`. */
  readonly calendars?: Calendars
  /** The results of run steps, by activity. */
  readonly runs?: Readonly<Record<string, RunResult>>
  /** Events after which Temporal suggests continue-as-new; Temporal's 4,096 by default. */
  readonly suggestedAt?: number
  /** By default in the order of arrival. */
  readonly delivery?: Delivery
}

export interface SimulatedStart {
  readonly flow: string
  /** May contain the placeholders `$user`, `$pup`, `$in`, `$item` and `$example`. */
  readonly request: Readonly<Record<string, unknown>>
  readonly caseNo?: string
  readonly windows?: Readonly<Record<string, Duration>>
  /** Shipments that exist before the flow, by a name. */
  readonly before?: Readonly<Record<string, Before>>
  /** The starter waits for the booking, as most do; true by default. */
  readonly waits?: boolean
  /** The flow adopts the booking of its case, as after a sweep. */
  readonly adopt?: boolean
}

/** The outcome of an event. A refused one has changed nothing. */
export type Applied =
  | { readonly kind: 'done' }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

const done: Applied = { kind: 'done' }
const defaultStart = Date.UTC(2027, 2, 1, 8)
const hour = 3_600_000
const defaultPolls = { initial: hour, maximum: 24 * hour }
const defaultSuggestedAt = 4_096

/** Opens a simulation, which starts one flow. Close it after use: the next one uses its service again. */
export async function openSimulation(options: SimulationOptions = {}): Promise<Simulation> {
  return new Simulation(await borrowWorld(options.topology), options)
}

/** One flow on a clock that jumps: the real engine, activities and service, without Temporal and sockets. */
export class Simulation {
  readonly #world: World
  readonly #options: SimulationOptions
  readonly #ambient: Ambient
  readonly #clock: VirtualClock
  readonly #things: Things
  readonly #runner: ActivityRunner
  readonly #activities: FlowActivities
  readonly #mailbox: Mailbox
  readonly #timeLine: TimeLineEntry[] = []
  readonly #edges: Edge[] = []
  readonly #notifications: SentNotification[] = []
  readonly #answersWanted: AnswerWanted[] = []
  /** Shipments whose callbacks are lost. */
  readonly #lost = new Set<string>()
  #activityCount = 0
  #execution: Execution | undefined
  #declaration: FlowDeclaration | undefined
  #caseNo = ''
  #isClosed = false

  constructor(world: World, options: SimulationOptions) {
    const { seed = 1, startAt = defaultStart, flows = builtIn, profile = fullProfile } = options
    const { notifications = false, createDelay, pollInterval = defaultPolls, calendars = testCalendars } = options
    if (startAt < worldStart) throw new Error('startAt: must not be before the year 2000.')
    this.#world = world
    this.#options = options
    this.#clock = new VirtualClock(startAt)
    const random = new SeededRandom(seed)
    Object.assign(world, { clock: this.#clock, random, faults: new Faults() })
    this.#ambient = { now: () => this.#clock.now(), random }
    this.#things = createThings(world, startAt)
    this.#runner = new ActivityRunner(this.#clock)
    this.#mailbox = new Mailbox(options.delivery ?? inOrder)
    this.#activities = createActivities(world.workerApi, {
      flows,
      profile,
      pollInterval,
      calendars,
      ...(createDelay !== undefined && { createDelay }),
      // Nothing is sent to it: the simulation stands for the workflow that delivers.
      ...(notifications && { notifications: { url: 'http://notifications.invalid', key: 'simulated' } }),
    })
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.#clock.now()
  }

  /** The details of the flow in the Web UI, as Markdown. */
  get board(): string {
    return this.#requireExecution().details
  }

  get hasEnded(): boolean {
    return this.#requireExecution().end !== undefined
  }

  /** Starts the flow. Its input is checked as by a worker. */
  async start(given: SimulatedStart): Promise<void> {
    const { flow, request, caseNo = 'SIM-1', windows, before = {}, waits = true, adopt } = given
    if (this.#execution !== undefined) throw new Error('A simulation starts one flow.')
    const { suggestedAt = defaultSuggestedAt } = this.#options
    const flows: Readonly<Record<string, FlowDeclaration>> = this.#options.flows ?? builtIn
    await this.#inside(async () => {
      for (const [name, kind] of Object.entries(before)) {
        this.#things.items.set(name, await createBefore(this.#world.api, name, kind, this.#things))
      }
      await this.#world.service.takeCallbacks()
      const resolved = toRequest(request as Readonly<Record<string, Json>>, this.#things)
      const declaration = Object.hasOwn(flows, flow) ? flows[flow] : undefined
      const isOwn = declaration !== undefined && !Object.hasOwn(builtIn, flow)
      const input: FlowInput = {
        caseNo,
        request: resolved,
        ...(windows && { windows }),
        ...(adopt && { adopt }),
        ...(isOwn && { declaration: fingerprint(toStarterView(declaration)) }),
      }
      this.#caseNo = caseNo
      this.#declaration = declaration
      const execution = new Execution({
        workflowId: toWorkflowId(caseNo),
        flow,
        attributes: { [searchAttributes.caseNo.name]: caseNo, [searchAttributes.flow.name]: flow },
        suggestedAt,
        server: this.#createServer(),
      })
      this.#execution = execution
      const waiting = { flow, fingerprint: fingerprint(resolved) }
      await execution.start([input], waits ? [execution.update('waitForBooking', waiting, () => undefined)] : [])
      await this.#settle()
    })
  }

  /** Puts a fault in force before the start. */
  prepare(event: Extract<StoryEvent, { fail: unknown }>): void {
    this.#note({ kind: 'told', event })
    this.#world.faults.fail(event.fail)
  }

  /** Applies one event of a story, and everything that follows from it at the same moment. */
  apply(event: StoryEvent): Promise<Applied> {
    return this.#inside(async () => {
      this.#note({ kind: 'told', event })
      const applied = await this.#apply(event).catch((error: unknown) => {
        if (error instanceof ApiRefusal || error instanceof ApiFault) return refused(error.code, error.message)
        throw error
      })
      await this.#collectCallbacks()
      await this.#settle()
      if (applied.kind === 'refused') {
        const [update] = Object.keys(event)
        const { code, message } = applied
        this.#note({ kind: 'refused', update: update ?? '', code, message })
      }
      return applied
    })
  }

  /**
   * Calls the service as another program does.
   * @throws ApiRefusal when the service refuses
   */
  call<Name extends JsonOperationName>(name: Name, request: RequestOf<Name>): Promise<ResponseOf<Name>> {
    return this.#inside(async () => {
      const response = await this.#world.api.call(name, request)
      if (this.#execution !== undefined) {
        await this.#collectCallbacks()
        await this.#settle()
      }
      return response
    })
  }

  /** The uid of the account with this number. */
  user(number: number): string {
    return this.#things.user(number)
  }

  /**
   * Opens the locker of any shipment, as the person at the door does.
   * @throws ApiRefusal when the service refuses
   */
  openLocker(shipmentUid: string, code: 'deliveryCode' | 'pickUpCode'): Promise<void> {
    return this.#inside(async () => {
      await openLocker(this.#world.api, shipmentUid, code)
      if (this.#execution === undefined) return
      await this.#collectCallbacks()
      await this.#settle()
    })
  }

  /** Brings a callback to the flow that the service has not sent: a forged one, or one of another service. */
  signal(status: ShipmentStatus): Promise<void> {
    return this.#inside(async () => {
      this.#mailbox.add([this.#requireExecution().signal(status)])
      await this.#settle()
    })
  }

  /** Lets time pass, in milliseconds: all timers up to then fire. */
  advance(length: number): Promise<void> {
    return this.#inside(() => this.#advanceTo(this.#clock.now() + length))
  }

  /** Goes to the next timer of the flow, and fires it. Returns false without one. */
  jump(): Promise<boolean> {
    return this.#inside(async () => {
      const next = this.#clock.next()
      if (next !== undefined) await this.#advanceTo(next)
      return next !== undefined
    })
  }

  status(): FlowStatus {
    return this.#requireExecution().status()
  }

  /** Everything that has happened until now. */
  run(): SimulatedRun {
    const { end } = this.#requireExecution()
    return toSimulatedRun({
      end,
      status: this.status(),
      timeLine: [...this.#timeLine],
      edges: [...this.#edges],
      notifications: [...this.#notifications],
      answersWanted: [...this.#answersWanted],
    })
  }

  /** Ends the simulation. Its service is used again. */
  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    returnWorld(this.#world)
  }

  #inside<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#isClosed) throw new Error('The simulation is closed.')
    return runInside(this.#ambient, work)
  }

  #requireExecution(): Execution {
    if (this.#execution === undefined) throw new Error('The simulation has started no flow.')
    return this.#execution
  }

  /** Runs tasks and activities until the flow waits for a timer or a message. */
  async #settle(): Promise<void> {
    const execution = this.#requireExecution()
    for (;;) {
      const jobs = this.#mailbox.take()
      if (jobs.length > 0) await execution.handle(jobs)
      else if (!(await this.#runner.runNext())) break
    }
    this.#noteQuestion()
  }

  async #advanceTo(moment: number): Promise<void> {
    for (let next = this.#clock.next(); next !== undefined && next <= moment; next = this.#clock.next()) {
      this.#clock.jump()
      await this.#settle()
    }
    this.#clock.skipTo(moment)
  }

  /** Brings the callbacks of the service to the flow, in one task. Other cases have no flow. */
  async #collectCallbacks(): Promise<void> {
    const execution = this.#requireExecution()
    const jobs: Job[] = []
    for (const body of await this.#world.service.takeCallbacks()) {
      const read = readMessage(normalizeMessage(body))
      const isMeant = read.ok && read.caseNo === this.#caseNo && !this.#lost.has(read.status.shipmentUid)
      if (isMeant) jobs.push(execution.signal(read.status))
    }
    if (jobs.length > 0) this.#mailbox.add(jobs)
  }

  async #apply(event: StoryEvent): Promise<Applied> {
    const { api, faults } = this.#world
    if ('dropOff' in event) await this.#open(event.dropOff, 'deliveryCode')
    else if ('pickUp' in event) await this.#open(event.pickUp, 'pickUpCode')
    else if ('cancelShipment' in event) {
      await api.call('CancelShipment', { shipmentUid: this.#shipmentOf(event.cancelShipment).shipmentUid })
    } else if ('setReceiver' in event) {
      const { shipmentUid } = this.#shipmentOf(event.setReceiver)
      const toUserUid = this.#things.user(event.user?.$user ?? 1)
      await api.call('SetShipmentReceiver', { shipmentUid, toUserUid })
    } else if ('after' in event) await this.#advanceTo(this.#clock.now() + toLength(event.after))
    else if ('at' in event) await this.#advanceTo(this.#toMoment(event.at))
    else if ('fail' in event) faults.fail(event.fail)
    else if ('recover' in event) faults.recover(event.recover)
    else if ('loseCallbacks' in event) this.#lost.add(this.#shipmentOf(event.loseCallbacks).shipmentUid)
    else if ('deliverCallbacks' in event) this.#lost.delete(this.#shipmentOf(event.deliverCallbacks).shipmentUid)
    else if ('loseWorker' in event) this.#runner.loseWorker()
    else if ('cancelInWebUi' in event) this.#mailbox.add([this.#requireExecution().requestCancel()])
    else if (!('expect' in event)) return this.#update(...this.#toUpdate(event))
    return done
  }

  #toUpdate(event: UpdateEvent): [UpdateName, unknown] {
    if ('answer' in event) return ['answer', event]
    if ('decide' in event) {
      return ['decide', { decision: event.decide, ...(event.by !== undefined && { by: event.by }) }]
    }
    if ('cancel' in event) return ['cancel', { reason: event.cancel }]
    if ('release' in event) return ['release', null]
    const user = event.assignReceiver
    return ['assignReceiver', { toUserUid: 'uid' in user ? user.uid : this.#things.user(user.$user) }]
  }

  /** Sends an update. One that waits for the end of the flow is done when it is accepted. */
  async #update(name: UpdateName, argument: unknown): Promise<Applied> {
    const execution = this.#requireExecution()
    if (execution.end !== undefined) return refused('FlowEnded', 'The flow has ended.')
    const ends: UpdateEnd[] = []
    this.#mailbox.add([execution.update(name, argument, end => ends.push(end))])
    await this.#settle()
    const [end] = ends
    if (end === undefined || 'result' in end) return done
    const { failure } = end
    return refused((failure instanceof ApplicationFailure && failure.type) || failure.name, failure.message)
  }

  async #open(role: string, code: 'deliveryCode' | 'pickUpCode'): Promise<void> {
    const { shipmentUid, ...locker } = this.#shipmentOf(role)
    await openLocker(this.#world.api, shipmentUid, code, locker.lockerName == null ? undefined : locker)
  }

  /** @throws Error for a role that is not booked */
  #shipmentOf(role: string): { shipmentUid: string; pupUid: string | null; lockerName: string | null } {
    const { shipments } = this.status()
    const held = shipments.findLast(shipment => shipment.role === role)
    if (held !== undefined) return held
    const item = this.#things.items.get(role)
    if (item !== undefined) return { shipmentUid: item, pupUid: null, lockerName: null }
    const known = [...shipments.map(shipment => shipment.role), ...this.#things.items.keys()]
    throw new Error(`${role}: must be a booked role or a name of before: ${known.join(', ') || '(none)'}.`)
  }

  #toMoment(reference: MomentReference): number {
    const moment = toInstant(reference, this.#things)
    if (moment < this.#clock.now()) throw new Error('at: must not be in the past.')
    return moment
  }

  #note(happening: Parameters<Server['note']>[0]): void {
    this.#timeLine.push({ at: this.#clock.now(), ...happening })
  }

  #noteQuestion(): void {
    const execution = this.#requireExecution()
    const asks = execution.end === undefined ? execution.status().asks : null
    const last = this.#answersWanted.at(-1)
    if (asks === null || (last !== undefined && last.step === asks.step)) return
    this.#answersWanted.push({ at: this.#clock.now(), ...asks })
  }

  #createServer(): Server {
    const { random } = this.#ambient
    return {
      now: () => this.#clock.now(),
      uuid: () => random.uuid(),
      note: happening => this.#note(happening),
      record: edge => {
        if (this.#declaration !== undefined) this.#edges.push(...edgesOn(this.#declaration, edge))
      },
      noteCallback: () => undefined,
      arrive: job => this.#mailbox.add([job]),
      startTimer: (length, fire) => this.#clock.at(this.#clock.now() + length, fire),
      startActivity: (activity, onEnd) => this.#startActivity(activity, onEnd),
      startChild: (workflow, { args }) => this.#startChild(workflow, args),
    }
  }

  #startActivity(...[{ name, args, options }, onEnd]: Parameters<Server['startActivity']>) {
    const id = options.activityId ?? String(++this.#activityCount)
    const builtIn = name === suggestionsActivity ? undefined : this.#findActivity(name)
    const { takes } = this.#options.runs?.[name] ?? {}
    const workflowId = toWorkflowId(this.#caseNo)
    const perform = async (attempt: number) => {
      if (builtIn === undefined) return this.#runResult(name)
      try {
        return await runInContext({ name, id, workflowId }, attempt, () => builtIn(...args))
      } finally {
        await this.#collectCallbacks()
      }
    }
    return this.#runner.start({
      name,
      id,
      options,
      takes: takes === undefined || builtIn !== undefined ? 0 : toLength(takes),
      attempt: perform,
      onEnd,
    })
  }

  #findActivity(name: string) {
    if (!Object.hasOwn(this.#activities, name)) return undefined
    return this.#activities[name as keyof FlowActivities] as (...args: readonly unknown[]) => Promise<unknown>
  }

  /** The result of an activity that does not run. */
  #runResult(name: string): unknown {
    const fault = this.#world.faults.take(name)
    if (fault !== undefined) {
      const type = fault.code ?? 'Unavailable'
      throw ApplicationFailure.create({
        type,
        message: 'The story lets it fail.',
        nonRetryable: fault.code !== undefined,
      })
    }
    const result = this.#options.runs?.[name]
    if (result !== undefined) return result.returns
    const isUndo = this.#declaration?.steps.some(step => 'run' in step && step.undo === name) === true
    if (isUndo) return null
    throw new Error(`runs.${name}: must be given, because a simulation does not run this activity.`)
  }

  #startChild(workflow: string, [input]: readonly unknown[]): void {
    if (workflow !== 'notification') return
    const { notification } = input as Pick<Parameters<FlowActivities['sendNotification']>[0], 'notification'>
    this.#notifications.push({ at: this.#clock.now(), notification })
  }
}

type UpdateEvent = Extract<
  StoryEvent,
  { answer: string } | { decide: string } | { cancel: string } | { release: string } | { assignReceiver: object }
>

/** A run step of the project, whose file no simulation fetches. */
const suggestionsActivity = 'importSuggestions'

function refused(code: string, message: string): Applied {
  return { kind: 'refused', code, message }
}

function toLength(duration: string): number {
  const length = parseDuration(duration)
  if (length === undefined) throw new Error(`after: must be a duration such as "3d", got ${duration}.`)
  return length
}
