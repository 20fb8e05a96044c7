import type { Calendars } from '#activities/calendars'
import { allSteps, flows as builtIn, type Edge, type FlowDeclaration, type Json } from '#flows'
import { closeWorlds, openSimulation, type Simulation, type SimulationOptions } from '#testing/simulator'
import type { EventWord, RequestValues, StoryRun, StoryStart, StoryState, StoryTarget } from '#testing/story'

/**
 * Tells stories on the simulator. Time passes at once, and each story has a service of its own.
 * @param flows custom flows, in addition to the built-in ones
 */
export function createSimulatedTarget(flows: readonly FlowDeclaration[] = [], calendars?: Calendars): StoryTarget {
  const all: Readonly<Record<string, FlowDeclaration>> = {
    ...builtIn,
    ...Object.fromEntries(flows.map(flow => [flow.name, flow])),
  }
  return {
    parts: 'simulator',
    start: start => startStory(start, { flows: all, ...(calendars && { calendars }) }),
    stop: closeWorlds,
  }
}

async function startStory(
  { story: { flow: name, request, before, runs }, flow, failing }: StoryStart,
  options: SimulationOptions,
): Promise<StoryRun> {
  const simulation = await openSimulation({ ...options, ...(runs && { runs }) })
  try {
    for (const fail of failing) simulation.prepare({ fail })
    await simulation.start({ flow: name, request, ...(before && { before }) })
  } catch (error) {
    await simulation.close()
    throw error
  }
  return new SimulatedStoryRun(simulation, flow)
}

/** One story on the simulator. Each event takes effect at once. */
class SimulatedStoryRun implements StoryRun {
  readonly #simulation: Simulation
  readonly #works: readonly string[]

  constructor(simulation: Simulation, { steps }: FlowDeclaration) {
    this.#simulation = simulation
    this.#works = allSteps(steps).flatMap(step =>
      'run' in step ? [step.run, ...(typeof step.undo === 'string' ? [step.undo] : [])] : [],
    )
  }

  get values(): RequestValues {
    return this.#simulation.values
  }

  async perform(word: EventWord): Promise<void> {
    const applied = await this.#simulation.apply(word)
    if (applied.kind === 'refused') throw new Error(`${applied.code}: ${applied.message}`)
  }

  async observe(): Promise<StoryState> {
    const { currentDetails } = this.#simulation
    const { status, outcome, code, message, leftOver, timeLine, bookings } = this.#simulation.run()
    const roleOf = (uid: string | null) => bookings.find(({ shipmentUid }) => shipmentUid === uid)?.role ?? null
    return {
      step: status.step,
      overdue: status.overdue,
      deadline: status.deadline,
      currentDetails,
      outcome: outcome ?? null,
      code: code ?? null,
      message: message ?? null,
      shipments: bookings,
      leftOver: leftOver.map(({ step, shipmentUid, reason }) => ({ step, reason, role: roleOf(shipmentUid) })),
      ran: timeLine.flatMap(entry =>
        entry.kind === 'activityCompleted' && this.#works.includes(entry.activity) ? [entry.activity] : [],
      ),
      outputs: (status.result ?? {}) as Readonly<Record<string, Json>>,
    }
  }

  async edges(): Promise<readonly Edge[]> {
    return this.#simulation.run().edges
  }

  close(): Promise<void> {
    return this.#simulation.close()
  }
}
