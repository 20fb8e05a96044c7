import type { PlannedFlow } from './context.ts'

/**
 * Moves the clock of a flow in staging to the next moment at which the flow acts, at most as far as `moveClock` asks
 * (D-363). Work that is under way ends first, as it would in the time that passes.
 * @param until that moment in milliseconds since 1970; null without one
 * @returns the milliseconds by which it has moved
 */
export function moveClock({ progress, pending, resolving, runtime }: PlannedFlow, until: number | null): number {
  const { clock } = progress
  const isBusy = pending !== undefined || resolving !== undefined
  if (clock === undefined || clock.ahead >= clock.target || isBusy) return 0
  const left = clock.target - clock.ahead
  const moved = until === null ? left : Math.min(left, until - runtime.now())
  clock.ahead += moved
  runtime.setAhead(clock.ahead)
  return moved
}
