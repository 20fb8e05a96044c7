import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Calendars } from '#calendars'
import { checkFlows, describeFault, type Fault, loadFlows } from '#declarations'
import { flows as builtIn, type RunCall } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'

/** An activity of a run step, or one that undoes it. The interface of its arguments: RunCall, UndoRun. */
export type OwnActivity = (input: never, call: RunCall) => unknown

/** The flows and activities that a team adds to a worker. */
export interface OwnFlows {
  readonly flows?: readonly FlowDeclaration[]
  /** By name. Steps with a task queue of their own run elsewhere. */
  readonly activities?: Readonly<Record<string, OwnActivity>>
}

/** The files of own flows, as the settings name them. */
export interface OwnFlowFiles {
  /** A path or a pattern. */
  readonly flows?: string
  /** A module whose exported functions are activities. */
  readonly activities?: string
  readonly calendars?: Calendars
}

export interface LoadedOwnFlows extends Required<OwnFlows> {
  /** One line each. */
  readonly warnings: readonly string[]
}

/**
 * Loads the flows and activities that the settings name.
 * @throws Error with a line for each fault
 */
export async function loadOwnFlows({ flows, activities: file, calendars }: OwnFlowFiles): Promise<LoadedOwnFlows> {
  const activities = file === undefined ? {} : await loadActivities(file)
  if (flows === undefined) return { flows: [], activities, warnings: [] }
  const loaded = await loadFlows([flows], checkOptions({ activities, calendars }))
  rejectFaults(loaded.faults)
  const warnings = loaded.faults.map(describeFault)
  return { flows: Object.values(loaded.flows), activities, warnings }
}

/**
 * Checks the flows and activities of a worker.
 * @param names of the activities that the worker has without them
 * @throws Error with a line for each fault
 */
export function checkOwnFlows(
  {
    flows = [],
    activities = {},
    catalogue = {},
    calendars,
  }: OwnFlows & {
    readonly catalogue?: Readonly<Record<string, FlowDeclaration>> | undefined
    readonly calendars?: Calendars | undefined
  },
  names: readonly string[],
): void {
  const taken = Object.keys(activities).filter(name => names.includes(name))
  if (taken.length > 0) throw new Error(`activities: must not have the names of built-in ones: ${taken.join(', ')}.`)
  rejectFaults(checkFlows(flows, checkOptions({ activities, calendars })))
  rejectFaults(checkFlows(Object.values(catalogue)))
}

interface Checked extends Pick<Required<OwnFlows>, 'activities'> {
  readonly calendars: Calendars | undefined
}

function checkOptions({ activities, calendars }: Checked) {
  return {
    taken: Object.keys(builtIn),
    activities: Object.keys(activities),
    calendars: calendars !== undefined,
  }
}

function rejectFaults(faults: readonly Fault[]): void {
  const errors = faults.filter(({ warning }) => !warning)
  if (errors.length > 0) throw new Error(errors.map(describeFault).join('\n'))
}

/** The functions that a module exports by name. */
async function loadActivities(file: string): Promise<Readonly<Record<string, OwnActivity>>> {
  const module: object = await import(pathToFileURL(resolve(file)).href).catch(error => {
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new Error(`LOCKERFLOW_ACTIVITIES: must be a module that can be imported, ${file} is not: ${reason}`)
  })
  const functions = Object.entries(module).filter(([name, value]) => name !== 'default' && typeof value === 'function')
  if (functions.length === 0) throw new Error(`LOCKERFLOW_ACTIVITIES: must export functions, ${file} exports none.`)
  return Object.fromEntries(functions)
}
