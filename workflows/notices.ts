import { ChildWorkflowCancellationType, ParentClosePolicy, startChild, uuid4 } from '@temporalio/workflow'
import type { PlannedNotices } from '#activities/interface'
import type { FlowState, Notice, NoticeType } from '#contract/terms'
import { noteHeard } from './carryingOn.ts'
import type { notice as sending } from './notice.ts'
import { type Course, type Run, refuse, shown } from './run.ts'

const states = {
  'flow.stageReached': 'waiting',
  'flow.overdue': 'overdue',
  'flow.ended': 'ended',
} as const satisfies Record<NoticeType, FlowState>

/**
 * Has a notice sent, by a workflow of its own that outlives the flow: whatever becomes of it, the flow goes on at
 * once. Does nothing in a flow that was planned without notices, or not at all.
 */
export function notify(run: Run, type: NoticeType): void {
  const { course } = run
  const notices = course?.plan.notices
  if (course === undefined || notices === undefined) return
  if (run.unsent.size >= notices.mostUnsent && type !== 'flow.ended') {
    refuse(run, `${type}: not sent, since ${notices.mostUnsent} notices wait for their receiver`)
    return
  }
  course.notices = (course.notices ?? 0) + 1
  // A flow that is reset makes other ones from there on; the run's id would change under what it has done before.
  const id = uuid4()
  run.untaken.add(id)
  run.unsent.add(id)
  void send(run, id, notices, noticeOf(run, course, type, course.notices))
}

/** Never fails: a notice is not worth a flow. */
async function send(run: Run, id: string, { patience }: PlannedNotices, notice: Notice): Promise<void> {
  const { type, data } = notice
  try {
    const child = await startChild<typeof sending>('notice', {
      workflowId: `notice:${data.caseNo}:${data.sequence}:${id}`,
      args: [{ id, patience, notice }],
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      staticSummary: `${type} ${data.stage ?? data.outcome ?? ''} of ${data.caseNo}`,
    })
    run.untaken.delete(id)
    noteHeard(run)
    await child.result()
  } catch {
    const fault = run.untaken.delete(id) ? 'could not be started' : 'was not delivered'
    refuse(run, `${type}: the notice ${fault}`)
  } finally {
    run.unsent.delete(id)
  }
}

function noticeOf(run: Run, course: Course, type: NoticeType, sequence: number): Notice {
  const { plan, stage, shipments } = course
  const inStage = run.booking === 'booked' && run.result?.outcome !== 'completed'
  return {
    type,
    timestamp: new Date().toISOString(),
    data: {
      flow: plan.flow,
      caseNo: plan.caseNo,
      sequence,
      stage: inStage ? (plan.stages[stage]?.name ?? null) : null,
      state: states[type],
      ...(type === 'flow.ended' && endOf(run)),
      shipments: shown(shipments),
    },
  }
}

function endOf({ result, booking }: Run): Pick<Notice['data'], 'outcome' | 'code'> {
  if (result !== undefined) return { outcome: result.outcome }
  const code = typeof booking === 'object' ? booking.failure.type : undefined
  return { outcome: 'failed', ...(code && { code }) }
}
