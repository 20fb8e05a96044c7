import { type FlowPlan, type Json, jsonBytes } from '#flows'
import { nonRetryable } from '../failures.ts'

/**
 * The bytes of the request of a flow, and of its plan, which has what the steps send. A run that continues as new carries
 * both, beside the outputs, and Temporal would terminate a larger flow then, with its lockers booked.
 */
export const inputLimits = { request: 256 * 1_024, plan: 1_024 * 1_024 } as const

/** Fails with InvalidFlowInput. */
export function rejectLargeRequest(request: Json): void {
  reject(jsonBytes(request), inputLimits.request, '')
}

/** Fails with InvalidFlowInput. */
export function rejectLargePlan(plan: FlowPlan): void {
  reject(jsonBytes(plan as unknown as Json), inputLimits.plan, ' in all its places in the plan of the flow')
}

function reject(bytes: number, limit: number, where: string): void {
  if (bytes <= limit) return
  throw nonRetryable('InvalidFlowInput', `request: must have at most ${limit} bytes${where}, got ${bytes}.`)
}
