import { toWorkflowId } from '#flows'
import { moveClock } from '#flows/messages'
import type { World } from '../world/flowWorld.ts'

/** The option of a world whose flows accept `moveClock`. Their clocks start at that of Temporal. */
export const movableClock = { clockAhead: () => 0 } as const

export const hour = 3_600_000

/**
 * Moves the clock of a flow, so that a window ends when the test is ready, and not while a busy machine delays the test.
 * @param ahead milliseconds from the clock of Temporal, not from the last move
 */
export function moveFlowClock({ client }: World, caseNo: string, ahead: number): Promise<{ ended: boolean }> {
  return client.workflow.getHandle(toWorkflowId(caseNo)).executeUpdate(moveClock, { args: [{ ahead }] })
}
