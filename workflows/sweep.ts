import { type ActivityOptions, proxyActivities } from '@temporalio/workflow'
import type { FlowActivities } from '#activities/interface'
import type { OrphanedCase, SweepOrder, SweepReport } from '#contract/terms'
import { codeOf, isActivityError } from './failures.ts'

/** A sweep that cannot be done now is done another time. */
const patience: ActivityOptions = {
  scheduleToCloseTimeout: '10m',
  retry: { initialInterval: '250ms', maximumInterval: '30s' },
}

const { findOrphans } = proxyActivities<Pick<FlowActivities, 'findOrphans'>>({
  ...patience,
  heartbeatTimeout: '1m',
  summary: 'find active shipments whose case has no running flow',
})

const { cancelOrphan } = proxyActivities<Pick<FlowActivities, 'cancelOrphan'>>({
  ...patience,
  startToCloseTimeout: '1m',
  summary: 'cancel what holds no item',
})

const { adoptOrphan } = proxyActivities<Pick<FlowActivities, 'adoptOrphan'>>({
  ...patience,
  startToCloseTimeout: '2m',
  summary: 'have a flow take the shipments over',
})

/** Finds what no flow looks after, and cancels it or has it taken over when told; one case after the other. */
export async function sweep(order: SweepOrder): Promise<SweepReport> {
  const report = await findOrphans(order)
  if (order.act === 'list') return report
  const cases: OrphanedCase[] = []
  for (const orphan of report.cases) cases.push(await treated(order, orphan))
  return { ...report, cases }
}

async function treated({ act, flow }: SweepOrder, orphan: OrphanedCase): Promise<OrphanedCase> {
  try {
    return await (act === 'cancel'
      ? cancelOrphan(orphan)
      : adoptOrphan({ orphan, ...(flow !== undefined && { flow }) }))
  } catch (error) {
    if (!isActivityError(error)) throw error
    return { ...orphan, left: `there was no answer: ${codeOf(error)}` }
  }
}
