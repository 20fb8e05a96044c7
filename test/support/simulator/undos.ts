import type { UndoRun } from '#flows'
import type { Simulation } from '#testing/simulator'

/** The undos that the flow has asked of an activity, in order. */
export function undosBy(simulation: Simulation, activity: string): UndoRun[] {
  return simulation
    .run()
    .timeLine.flatMap(entry =>
      entry.kind === 'activityScheduled' && entry.activity === activity ? [entry.args[0] as UndoRun] : [],
    )
}
