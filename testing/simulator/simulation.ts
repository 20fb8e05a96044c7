import type { RequestOf, ResponseOf } from '#contract'
import type { JsonOperationName } from '#contract/client'
import type { FlowStatus, ShipmentStatus, StatusOptions } from '#flows'
import type { RequestValues, StoryEvent } from '#testing/story'
import { openLocker } from '#testing/story/people'
import { type Applied, applyEvent } from './apply.ts'
import { SimulatedFaults } from './faults.ts'
import { SimulatedFlow } from './flow.ts'
import { type Ambient, runInside } from './isolation.ts'
import { toSignal } from './messages.ts'
import type { SimulatedStart, SimulationOptions } from './options.ts'
import { SeededRandom } from './random.ts'
import { type SimulatedRun, toSimulatedRun } from './run.ts'
import { borrowWorld, returnWorld, type World, worldStart } from './world.ts'

const defaultStart = Date.UTC(2027, 2, 1, 8)

/** Opens a simulation, which starts one flow. Close it after use: the next one uses its service again. */
export async function openSimulation(options: SimulationOptions = {}): Promise<Simulation> {
  return new Simulation(await borrowWorld(options.topology), options)
}

/** One flow on a clock that jumps: the real engine, activities and service, without Temporal and sockets. */
export class Simulation {
  readonly #world: World
  readonly #ambient: Ambient
  readonly #flow: SimulatedFlow
  #isClosed = false

  constructor(world: World, options: SimulationOptions) {
    const { seed = 1, startAt = defaultStart } = options
    if (startAt < worldStart) throw new Error('startAt: must not be before the year 2000.')
    this.#world = world
    this.#flow = new SimulatedFlow(world, options, startAt)
    const { clock } = this.#flow
    const random = new SeededRandom(seed)
    Object.assign(world, { clock, random, faults: new SimulatedFaults() })
    this.#ambient = { now: () => clock.now(), random }
  }

  /** Milliseconds since 1970. */
  get now(): number {
    return this.#flow.clock.now()
  }

  /** The details of the flow in the Web UI, as Markdown. */
  get currentDetails(): string {
    return this.#flow.execution.details
  }

  get hasEnded(): boolean {
    return this.#flow.execution.end !== undefined
  }

  /** Starts the flow. Its input is checked as by a worker. */
  start(given: SimulatedStart): Promise<void> {
    return this.#inside(() => this.#flow.start(given))
  }

  /** Puts a fault in force before the start. */
  prepare(event: Extract<StoryEvent, { fail: unknown }>): void {
    this.#flow.notes.add({ kind: 'storyEvent', event })
    this.#world.faults.fail(event.fail)
  }

  /** Applies one event of a story, and everything that follows from it at the same moment. */
  apply(event: StoryEvent): Promise<Applied> {
    return this.#inside(() => applyEvent(this.#flow, event))
  }

  /**
   * Calls the service as another program does.
   * @throws ApiRefusal when the service refuses
   */
  call<Name extends JsonOperationName>(name: Name, request: RequestOf<Name>): Promise<ResponseOf<Name>> {
    return this.#inside(async () => {
      const response = await this.#world.api.call(name, request)
      await this.#follow()
      return response
    })
  }

  /** The values of the placeholders of the flow's story. */
  get values(): RequestValues {
    return this.#flow.placeholders
  }

  /**
   * Opens the locker of any shipment, as the person at the door does.
   * @throws ApiRefusal when the service refuses
   */
  openLocker(shipmentUid: string, code: 'deliveryCode' | 'pickUpCode'): Promise<void> {
    return this.#inside(async () => {
      await openLocker(this.#world.api, shipmentUid, code)
      await this.#follow()
    })
  }

  /** Brings a callback to the flow that the service has not sent: a forged one, or one of another service. */
  signal(status: ShipmentStatus): Promise<void> {
    return this.#inside(async () => {
      this.#flow.mailbox.add([toSignal(status)])
      await this.#flow.settle()
    })
  }

  /** Lets time pass, in milliseconds: all timers up to then fire. */
  advance(length: number): Promise<void> {
    return this.#inside(() => this.#flow.advanceTo(this.now + length))
  }

  /** Goes to the next timer of the flow, and fires it. Returns false without one. */
  jump(): Promise<boolean> {
    return this.#inside(async () => {
      const next = this.#flow.clock.next()
      if (next !== undefined) await this.#flow.advanceTo(next)
      return next !== undefined
    })
  }

  status(options: StatusOptions = {}): FlowStatus {
    return this.#flow.execution.status(options)
  }

  /** Everything that has happened so far. */
  run(): SimulatedRun {
    const { execution, notes } = this.#flow
    return toSimulatedRun({ ...notes.list(), end: execution.end, status: execution.status() })
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

  /** Runs what follows from a change in the service. */
  async #follow(): Promise<void> {
    if (!this.#flow.hasStarted) return
    await this.#flow.collectCallbacks()
    await this.#flow.settle()
  }
}
