import { workflowInfo } from '@temporalio/workflow'
import type { BookOrder } from '#activities/interface'
import { idempotencyKeyOf } from '#contract/terms'
import { courseOf, type Run } from './run.ts'

/** What is booked, or looked for, for this flow. */
export function orderOf(run: Run): BookOrder {
  const { plan } = courseOf(run)
  const { firstExecutionRunId, startTime } = workflowInfo()
  return {
    operation: plan.operation,
    request: plan.request,
    roles: plan.roles,
    caseNo: plan.caseNo,
    profile: plan.profile,
    idempotencyKey: idempotencyKeyOf(plan, firstExecutionRunId),
    since: startTime.toISOString(),
    ...(plan.adopt && { adopt: plan.adopt }),
  }
}
