import type { Api } from '#api'
import { idempotencyKeyOf } from '#contract/terms'
import { book } from './book.ts'
import type { FirstBooking, FirstOrder } from './interface.ts'
import { type PlanSettings, planOf } from './plan/index.ts'

/** Plans, and books at once where the service honours the idempotency key: only there may the attempt be lost. */
export async function planAndBook(api: Api, settings: PlanSettings, order: FirstOrder): Promise<FirstBooking> {
  const { firstRunId, since } = order
  const plan = planOf(settings, order)
  if (!plan.profile.idempotent) return { plan, sets: null }
  return { plan, sets: await book(api, { ...plan, since, idempotencyKey: idempotencyKeyOf(plan, firstRunId) }) }
}
