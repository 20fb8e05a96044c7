import type { Api } from '#api'
import { toAdoption, toIdempotencyKey, toStepKey } from '#flows'
import { bookShipments } from './bookShipments.ts'
import type { PlanAndBookInput, PlannedBooking, PlannedFirstBooking } from './interface.ts'
import { planFlow, type StepPlanSettings } from './plan/flowPlan.ts'
import { type PlanSettings, planFlow as planStages } from './plan/index.ts'

/** Books only where the service honours the idempotency key: a timed-out attempt can then be repeated safely. */
export async function planAndBookStages(
  api: Api,
  settings: PlanSettings,
  input: PlanAndBookInput,
): Promise<PlannedBooking> {
  const { firstRunId, since } = input
  const plan = planStages(settings, input)
  if (!plan.profile.idempotent) return { plan, bookings: null }
  const idempotencyKey = toIdempotencyKey(plan, firstRunId)
  const { adopt, ...rest } = plan
  return {
    plan,
    bookings: await bookShipments(api, { ...rest, since, idempotencyKey, ...(adopt && { adopt: 'active' }) }),
  }
}

/**
 * Books only if the first step books, and only where the service honours the idempotency key: a timed-out attempt can
 * then be repeated safely.
 */
export async function planAndBook(
  api: Api,
  settings: StepPlanSettings,
  input: PlanAndBookInput,
): Promise<PlannedFirstBooking> {
  const { firstRunId, since } = input
  const plan = planFlow(settings, input)
  const { caseNo, profile } = plan
  const [step] = plan.steps
  if (step?.kind !== 'book' || step.when !== undefined || !profile.idempotent) return { plan, bookings: null }
  const { operation, request, roles } = step
  const adopt = toAdoption(plan, 0)
  const bookings = await bookShipments(api, {
    operation,
    // The plan resolves the request of a first step, since no output exists before it.
    request: (request as { value: Record<string, unknown> }).value,
    roles,
    caseNo,
    profile,
    idempotencyKey: toStepKey({ caseNo, step: step.name }, firstRunId),
    since,
    ...(adopt && { adopt }),
  })
  return { plan, bookings }
}
