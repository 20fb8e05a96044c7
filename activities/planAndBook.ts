import type { Api } from '#contract/client'
import { toAdoption, toStepKey } from '#flows'
import { bookShipments } from './bookShipments.ts'
import type { BookStepInput, PlanAndBookInput, PlannedBooking } from './interface.ts'
import { type PlanSettings, planFlow, timeIn } from './plan/index.ts'

/**
 * Books only if the first step books, and only where the service honours the idempotency key: a timed-out attempt can
 * then be repeated safely.
 */
export async function planAndBook(api: Api, settings: PlanSettings, input: PlanAndBookInput): Promise<PlannedBooking> {
  const { firstRunId, since } = input
  const plan = planFlow(settings, input)
  const { caseNo, profile } = plan
  const [step] = plan.steps
  if (step?.kind !== 'book' || step.when !== undefined || !profile.idempotent) return { plan, bookings: null }
  const { operation, request, roles } = step
  const adopt = toAdoption(plan, 0)
  const order: BookStepInput = {
    operation,
    // The plan resolves the request of a first step, since no output exists before it.
    request: (request as { value: Record<string, unknown> }).value,
    roles,
    caseNo,
    profile,
    idempotencyKey: toStepKey({ caseNo, step: step.name }, firstRunId),
    // Temporal notes the start by the clock of the machine.
    since: new Date(timeIn(settings, Date.parse(since))).toISOString(),
    ...(adopt && { adopt }),
  }
  const bookings = await bookShipments(api, order, timeIn(settings, Date.now()))
  return { plan, bookings }
}
