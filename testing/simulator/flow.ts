import { fingerprint } from '#contract'
import { flows as builtIn, type FlowNotification, type Json, searchAttributes, toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import { normalizeMessage, readMessage } from '#gateway/message'
import { fillIn, fillInRuns, type ItemKind, type RunResult } from '#testing/story'
import { createItem } from '#testing/story/people'
import { VirtualClock } from './clock.ts'
import { inOrder, Mailbox } from './delivery.ts'
import { Execution } from './execution.ts'
import { toSignal, toUpdate } from './messages.ts'
import { Notes } from './notes.ts'
import { type SimulatedStart, type SimulationOptions, toInput } from './options.ts'
import { createPlaceholders, type Placeholders } from './placeholders.ts'
import type { Job, Server } from './server.ts'
import { Work } from './work.ts'
import type { World } from './world.ts'

const defaultSuggestedAt = 4_096

/** One flow in a world: its execution, its clock, and everything that arrives for it. */
export class SimulatedFlow {
  readonly world: World
  readonly clock: VirtualClock
  readonly placeholders: Placeholders
  readonly notes: Notes
  readonly mailbox: Mailbox
  readonly work: Work
  /** Shipments whose callbacks are lost. */
  readonly lost = new Set<string>()
  readonly #options: SimulationOptions
  #execution: Execution | undefined
  #declaration: FlowDeclaration | undefined
  #runs: Readonly<Record<string, RunResult>> = {}
  #caseNo = ''

  /** @param startAt in milliseconds since 1970 */
  constructor(world: World, options: SimulationOptions, startAt: number) {
    this.world = world
    this.#options = options
    this.clock = new VirtualClock(startAt)
    this.notes = new Notes(this.clock)
    this.placeholders = createPlaceholders(world, startAt)
    this.mailbox = new Mailbox(options.delivery ?? inOrder)
    this.work = new Work({ world, clock: this.clock, options, afterAttempt: () => this.collectCallbacks() })
  }

  get hasStarted(): boolean {
    return this.#execution !== undefined
  }

  /** @throws Error before the start */
  get execution(): Execution {
    if (this.#execution === undefined) throw new Error('The simulation has started no flow.')
    return this.#execution
  }

  /** Creates the shipments that exist before the flow, and starts it. */
  async start({ flow, request, caseNo = 'SIM-1', before = {}, waits = true, ...given }: SimulatedStart): Promise<void> {
    if (this.hasStarted) throw new Error('A simulation starts one flow.')
    const { flows = builtIn as Readonly<Record<string, FlowDeclaration>> } = this.#options
    const { suggestedAt = defaultSuggestedAt } = this.#options
    const create = (name: string, kind: ItemKind) => createItem(this.world.api, name, kind, this.placeholders)
    const items = await this.world.states.prepare(before, this.clock.now(), create)
    for (const [name, uid] of items) this.placeholders.items.set(name, uid)
    const resolved = fillIn(request as Readonly<Record<string, Json>>, this.placeholders, ['request'])
    this.#runs = fillInRuns(this.#options.runs ?? {}, this.placeholders)
    const declaration = Object.hasOwn(flows, flow) ? flows[flow] : undefined
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
    const input = toInput({ ...given, flow, caseNo, request: resolved }, declaration)
    await execution.start([input], waits ? [toUpdate('waitForBooking', waiting, () => undefined)] : [])
    await this.settle()
  }

  /** Runs tasks and activities until the flow waits for a timer or a message. */
  async settle(): Promise<void> {
    const { execution } = this
    for (;;) {
      const jobs = this.mailbox.take()
      if (jobs.length > 0) {
        if (this.#options.replaysEachTask) await execution.replay()
        await execution.handle(jobs)
      } else if (!(await this.work.runner.runNext())) break
    }
    this.notes.addQuestion(execution.end === undefined ? execution.asks() : null)
  }

  /** Loses the worker with its running attempts. Another worker replays the flow. */
  async loseWorker(): Promise<void> {
    this.work.runner.loseWorker()
    await this.execution.replay()
  }

  /** Lets time pass: all timers up to a moment fire. */
  async advanceTo(moment: number): Promise<void> {
    for (let next = this.clock.next(); next !== undefined && next <= moment; next = this.clock.next()) {
      this.clock.jump()
      await this.settle()
    }
    this.clock.skipTo(moment)
  }

  /** Brings the callbacks of the service to the flow, in one task. Other cases have no flow. */
  async collectCallbacks(): Promise<void> {
    const jobs: Job[] = []
    for (const body of await this.world.service.takeCallbacks()) {
      const read = readMessage(normalizeMessage(body))
      const isMeant = read.ok && read.caseNo === this.#caseNo && !this.lost.has(read.status.shipmentUid)
      if (isMeant) jobs.push(toSignal(read.status))
    }
    if (jobs.length > 0) this.mailbox.add(jobs)
  }

  #createServer(): Server {
    const { clock, notes, work, mailbox, world } = this
    return {
      now: () => clock.now(),
      uuid: () => world.random.uuid(),
      note: timeLineEvent => notes.add(timeLineEvent),
      record: edge => notes.addEdge(this.#declaration, edge),
      noteCallback: () => undefined,
      arrive: job => mailbox.add([job]),
      startTimer: (length, fire) => clock.at(clock.now() + length, fire),
      startActivity: (activity, onEnd) => {
        const of = { workflowId: toWorkflowId(this.#caseNo), declaration: this.#declaration, runs: this.#runs }
        return work.start(of, activity, onEnd)
      },
      startChild(workflow, { args: [input] }) {
        if (workflow !== 'notification') return
        const { notification } = input as { readonly notification: FlowNotification }
        notes.addNotification(notification)
      },
    }
  }
}
