import type { Calendars } from '#calendars'
import { checkFlows, rejectFaults } from '#declarations'
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
  rejectTaken(Object.keys(activities), names)
  const options = { taken: Object.keys(builtIn), activities: Object.keys(activities) }
  rejectFaults(checkFlows(flows, { ...options, calendars: calendars !== undefined }))
  rejectFaults(checkFlows(Object.values(catalogue)))
}

/** @throws Error if activities have the names of built-in ones */
export function rejectTaken(activities: readonly string[], builtInNames: readonly string[]): void {
  const taken = activities.filter(name => builtInNames.includes(name))
  if (taken.length > 0) throw new Error(`activities: must not have the names of built-in ones: ${taken.join(', ')}.`)
}
