import type { Cause, FlowPicture, FlowPlan, PictureStep, PlannedStep, PlannedWindow } from '#flows'

/** A step that a run has left, by its index in the plan. */
export interface LeftStep {
  readonly step: number
  /** The id of its token; absent for that of the flow. */
  readonly token?: string
  readonly cause: Cause
  /** The index of the next step; null for an early end of the flow. */
  readonly next: number | null
  /** Milliseconds since 1970; null if it is not known. */
  readonly at: number | null
}

/** The parts of a run that its picture shows. */
export interface PictureSource {
  readonly plan: Pick<FlowPlan, 'flow' | 'caseNo' | 'summary' | 'steps'>
  readonly way: readonly LeftStep[]
  /** The index of the current step, or of the one in which the flow ended; the number of steps after the last one. */
  readonly step: number
  /** The indexes of all current steps, blocks included. Absent in a flow with one. */
  readonly current?: readonly number[]
  /** Of the loops that run, by index. */
  readonly loops?: ReadonlyMap<number, NonNullable<PictureStep['progress']>>
  /** True for a flow that has ended, or ends. */
  readonly hasEnded: boolean
  /** The start of the current step, in milliseconds since 1970. */
  readonly since: number | null
  readonly deadline: number | null
  readonly overdue: boolean
  readonly outcome: string | null
}

/** The picture of a run: the path that it took, its current step, and the steps that may come. */
export function toPicture(source: PictureSource): FlowPicture {
  const { plan, way, step, hasEnded, since, deadline, overdue, outcome } = source
  const { current = [step], loops } = source
  const { flow, caseNo, summary, steps } = plan
  const left = new Map(way.map(entry => [entry.step, entry]))
  const entered = new Map(way.flatMap(({ next, at }) => (next === null ? [] : [[next, at] as const])))
  const passed = new Set(way.flatMap(({ step: from, next }) => range(from + 1, next ?? from + 1)))
  // A block that is left leaves its steps.
  const inLeft = new Set([...left.keys()].flatMap(index => range(index + 1, endOf(steps[index]) ?? index + 1)))
  const depths = depthsOf(steps)
  // Runs that began before they noted their way have left every step before the first one that they noted.
  const noted = steps.some(each => endOf(each) !== undefined) ? 0 : Math.min(step, ...left.keys())
  const nextOf = (index: number | null): string => {
    if (index === null) return 'end'
    return left.get(index)?.cause === 'skipped' ? nextOf(index + 1) : (steps[index]?.name ?? 'end')
  }
  const stateOf = (index: number): PictureStep['state'] => {
    // A step of a loop can be left in one item, and current in another.
    if (!hasEnded && current.includes(index)) return 'current'
    const entry = left.get(index)
    if (entry !== undefined) return entry.cause === 'skipped' ? 'leftOut' : 'done'
    if (current.includes(index)) return 'done'
    if (index < noted) return 'done'
    return hasEnded || passed.has(index) || inLeft.has(index) ? 'leftOut' : 'ahead'
  }
  return {
    ...{ flow, caseNo, summary, outcome, overdue },
    until: toIso(deadline),
    steps: steps.map((planned, index) => {
      const entry = left.get(index)
      const isLast = index === step
      return {
        name: planned.name,
        kind: planned.kind,
        summary: planned.summary,
        state: stateOf(index),
        since: toIso(isLast && !hasEnded ? since : (entered.get(index) ?? null)),
        left: toIso(entry?.at ?? null),
        cause: entry?.cause ?? null,
        // A flow notes no way for a failure or for an end from outside.
        next: entry !== undefined ? nextOf(entry.next) : isLast && hasEnded ? 'end' : null,
        window: describeWindow(planned),
        ...(depths[index] && { depth: depths[index] }),
        ...(loops?.has(index) && { progress: loops.get(index) as { ended: number; of: number } }),
      }
    }),
  }
}

/** The index after the last step of a block; undefined for any other step. */
function endOf(step: PlannedStep | undefined): number | undefined {
  return step !== undefined && 'end' in step ? step.end : undefined
}

/** The number of blocks around each step. */
function depthsOf(steps: readonly PlannedStep[]): number[] {
  const ends: number[] = []
  return steps.map((step, index) => {
    while (ends.length > 0 && index >= (ends.at(-1) ?? 0)) ends.pop()
    const depth = ends.length
    const end = endOf(step)
    if (end !== undefined) ends.push(end)
    return depth
  })
}

function range(from: number, to: number): number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index)
}

function toIso(moment: number | null): string | null {
  return moment === null ? null : new Date(moment).toISOString()
}

/** A moment for people, in milliseconds since 1970: 2026-12-01 10:00:00 UTC. */
export function describeMoment(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

/** The reason why a run left a step. A run that failed, or was ended from outside, left its last step for its outcome. */
export function describeCause({ outcome }: FlowPicture, { cause, next }: PictureStep): string {
  return cause ?? (next === 'end' ? (outcome ?? 'ended') : 'done')
}

/** True for the step in which a run has failed, including by a refusal whose policy is `fail`. */
export function hasFailed({ outcome }: FlowPicture, { state, next }: PictureStep): boolean {
  return outcome === 'failed' && state === 'done' && next === 'end'
}

/** The end of a step by its plan, before the step begins. */
function describeWindow(step: PlannedStep): string | null {
  const window: PlannedWindow =
    step.kind === 'sleep' ? step.until : typeof step.window === 'number' ? { length: step.window } : step.window
  if (window === null) return null
  if ('length' in window) return toText(window.length)
  if ('moment' in window) return `until ${describeMoment(window.moment)}`
  if ('at' in window) return `until ${toOffset(window.offset)}${window.at}`
  const rule = window.calendar
  if ('workingTime' in rule) return `${toText(rule.workingTime)} of working time`
  return `until ${rule.next}${rule.workingDay ? ' of a working day' : ''}`
}

function toOffset(offset: number): string {
  if (offset === 0) return ''
  return `${toText(Math.abs(offset))} ${offset < 0 ? 'before' : 'after'} `
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

/** A length in its units, such as 1h 30m. */
function toText(length: number): string {
  let rest = length
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size)
    rest -= count * size
    return count === 0 ? [] : [`${count}${unit}`]
  })
  return parts.join(' ') || '0s'
}
