import type { Calendars } from '#activities/calendars'
import { flows as builtIn, type Edge, type FlowDeclaration, type Json } from '#flows'
import type { CaseRun, CaseStart, CaseState, CaseTarget, EventWord, RequestValues } from '#testing/cases'
import {
  closeWorlds,
  openSimulation,
  type SimulatedStart,
  type Simulation,
  type SimulationOptions,
} from '#testing/simulator'

/**
 * Runs cases on the simulator. Time passes at once, and each case has a service of its own.
 * @param flows own flows, in addition to the built-in ones
 */
export function createSimulatedTarget(flows: readonly FlowDeclaration[] = [], calendars?: Calendars): CaseTarget {
  const all: Readonly<Record<string, FlowDeclaration>> = {
    ...builtIn,
    ...Object.fromEntries(flows.map(flow => [flow.name, flow])),
  }
  return {
    parts: 'simulator',
    start: start => startSimulatedCase(start, { flows: all, ...(calendars && { calendars }) }),
    stop: closeWorlds,
  }
}

/** Starts a case on a simulation of its own, which `close` ends. */
export async function startSimulatedCase(
  { test, flow, failing }: CaseStart,
  options: SimulationOptions,
  given: Pick<SimulatedStart, 'caseNo' | 'waits' | 'windows'> = {},
): Promise<SimulatedCase> {
  const { runs, request, before } = test
  const simulation = await openSimulation({ ...options, ...(runs && { runs }) })
  try {
    for (const fail of failing) simulation.prepare({ fail })
    await simulation.start({ flow: test.flow, request, ...(before && { before }), ...given })
  } catch (error) {
    await simulation.close()
    throw error
  }
  return new SimulatedCase(simulation, flow)
}

/** One case on the simulator. Each event takes effect at once. */
export class SimulatedCase implements CaseRun {
  readonly simulation: Simulation
  readonly #works: readonly string[]

  constructor(simulation: Simulation, { steps }: FlowDeclaration) {
    this.simulation = simulation
    this.#works = steps.flatMap(step =>
      'run' in step ? [step.run, ...(typeof step.undo === 'string' ? [step.undo] : [])] : [],
    )
  }

  get values(): RequestValues {
    return this.simulation.values
  }

  async perform(word: EventWord): Promise<void> {
    const applied = await this.simulation.apply(word)
    if (applied.kind === 'refused') throw new Error(`${applied.code}: ${applied.message}`)
  }

  async observe(): Promise<CaseState> {
    const { currentDetails } = this.simulation
    const { status, outcome, code, message, leftOver, timeLine, bookings } = this.simulation.run()
    const roleOf = (uid: string | null) => bookings.find(({ shipmentUid }) => shipmentUid === uid)?.role ?? null
    return {
      step: status.step,
      overdue: status.overdue,
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
    return this.simulation.run().edges
  }

  close(): Promise<void> {
    return this.simulation.close()
  }
}
