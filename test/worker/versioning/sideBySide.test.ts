import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createFlowClient } from '#client'
import { toWorkflowId } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { RunningWorker } from '#worker'
import { serveHealth } from '../../../worker/health.ts'
import { eventually } from '../../support/eventually.ts'
import { type Builds, createBuilds } from '../../support/flows/builds.ts'
import { type ChangedBundle, patchedBundle } from '../../support/flows/changedBundle.ts'
import { growOld } from '../../support/flows/longHistories.ts'
import { startFor, type Underway, walk } from '../../support/flows/underway.ts'
import { bundle } from '../../support/world/bundle.ts'

const loan = 'issueFromStockAndSubsequentIntakeAndCircularStock'

/** Only the old build declares it. */
const approval = {
  name: 'approval',
  summary: 'A person approves a request, at any time.',
  input: { subject: 'text' },
  steps: [{ name: 'decision', summary: 'A person approves.', ask: { approved: {} }, who: 'staff', window: null }],
} as const satisfies FlowDeclaration

let builds: Builds
let changed: ChangedBundle
let older: RunningWorker
/** Started on the old build: a loan that is lent, one that is not yet, and an issue. */
let lent: Underway
let waiting: Underway
let issued: Underway
/** Two more, whose histories grow long on the new build. */
let oldLoan: Underway
let oldIssue: Underway
const approvalCase = `approval-${randomUUID()}`

beforeAll(async () => {
  builds = await createBuilds()
  changed = await patchedBundle()
  older = await builds.start('old', await bundle(), { flows: [approval] })
})

afterAll(() => builds.stop())

/** The memo field that only the changed interpreter writes. */
async function memoOf(caseNo: string): Promise<Record<string, unknown>> {
  const { memo } = await builds.world.client.workflow.getHandle(toWorkflowId(caseNo)).describe()
  return memo ?? {}
}

async function endOf({ caseNo }: Underway) {
  const answer = await builds.world.flows.result(caseNo)
  return 'result' in answer ? answer.result.outcome : answer
}

// One story: each test goes on from the one before.
describe('two builds side by side', () => {
  test('a worker of a deployment without a current build reports that flows wait, and no longer after the promotion', async () => {
    const health = await serveHealth(older, 0)
    // A busy machine can leave Temporal too little time for its answer.
    const ready = () =>
      eventually(async () => {
        const response = await fetch(`http://127.0.0.1:${health.port}/health/ready`)
        const body = (await response.json()) as { readonly reason?: string }
        return body.reason === 'Temporal does not answer' ? undefined : { status: response.status, body }
      })
    const reason = expect.stringMatching(
      /^the deployment .* has no current build, so only flows pinned to this build make progress; to make it current: lockerflow promote /,
    )
    expect(await ready()).toEqual({ status: 503, body: { ready: false, reason, missing: [{ name: 'build', reason }] } })
    const { previous } = await vi.waitFor(async () => {
      const promotion = await builds.promote('old', await bundle())
      expect(promotion.objections).toEqual([])
      return promotion
    })
    expect(previous).toBeUndefined()
    expect(await ready()).toEqual({ status: 200, body: { ready: true, missing: [] } })
    health.close()
  })

  test('flows start on the old build: short ones are pinned to it', async () => {
    const { world } = builds
    lent = await startFor(world, loan)
    waiting = await startFor(world, loan)
    issued = await startFor(world, 'issue')
    oldLoan = await startFor(world, loan)
    oldIssue = await startFor(world, 'issue')
    await walk(world, lent, 'return')
    await walk(world, waiting, 'pickUp')
    await walk(world, issued, 'pickUp')
    const workflowId = toWorkflowId(approvalCase)
    const args = [{ caseNo: approvalCase, request: { subject: 'A longer loan' } }]
    await world.client.workflow.start(approval.name, { workflowId, taskQueue: world.taskQueue, args })
    await world.statusWhen(approvalCase, ({ stage }) => stage === 'decision')
    expect(await builds.whereIs(approvalCase)).toEqual({ buildId: 'old', pinned: false })
    expect(await builds.whereIs(lent.caseNo)).toEqual({ buildId: 'old', pinned: false })
    expect(await builds.whereIs(issued.caseNo)).toEqual({ buildId: 'old', pinned: true })
  })

  test('a build that is not promoted gets no tasks', async () => {
    const newer = await builds.start('new', changed)
    expect(await newer.notReadyReason()).toBeUndefined()
    const another = await startFor(builds.world, 'issue')
    expect(await builds.whereIs(another.caseNo)).toEqual({ buildId: 'old', pinned: true })
    await builds.world.flows.cancel(another.caseNo, 'over')
  })

  test('a promotion reports the flows that move and that stay', async () => {
    const { deploymentName } = builds
    const promotion = await vi.waitFor(async () => {
      const checked = await builds.promote('new', changed, { onlyCheck: true })
      expect(checked).toMatchObject({ objections: [], moving: 4, staying: new Map([[`${deploymentName}:old`, 2]]) })
      return builds.promote('new', changed)
    })
    expect(promotion).toEqual({
      objections: [],
      previous: { deploymentName, buildId: 'old' },
      moving: 4,
      replayed: 4,
      staying: new Map([[`${deploymentName}:old`, 2]]),
    })
  })

  test('new flows run on the new build, and use its change', async () => {
    const { world } = builds
    const fresh = await startFor(world, 'issue')
    expect(await builds.whereIs(fresh.caseNo)).toEqual({ buildId: 'new', pinned: true })
    await walk(world, fresh)
    expect(await endOf(fresh)).toBe('completed')
    expect(await memoOf(fresh.caseNo)).toEqual({ step: 'pickUp' })
  })

  test('so does a new loan, while the one from the old build is open', async () => {
    const { world } = builds
    const fresh = await startFor(world, loan)
    expect(await builds.whereIs(fresh.caseNo)).toEqual({ buildId: 'new', pinned: false })
    expect(await builds.whereIs(lent.caseNo)).toEqual({ buildId: 'old', pinned: false })
    await walk(world, fresh)
    expect(await endOf(fresh)).toBe('completed')
    expect(await builds.whereIs(fresh.caseNo)).toEqual({ buildId: 'new', pinned: false })
    // Its last step may be over in the task in which it would begin.
    expect(await memoOf(fresh.caseNo)).toEqual({ step: expect.stringMatching(/^(return|restocked)$/) })
    expect(await memoOf(lent.caseNo)).toEqual({})
  })

  test('a loan from the old build moves, continues where it was and completes', async () => {
    const { world } = builds
    expect(await world.flows.status(lent.caseNo)).toMatchObject({ status: { stage: 'return' } })
    await walkOn(lent, 'intake', 'deliveryCode')
    expect(await endOf(lent)).toBe('completed')
    expect(await builds.whereIs(lent.caseNo)).toEqual({ buildId: 'new', pinned: false })
  })

  test('a flow that the new build does not declare moves, stays movable and completes', async () => {
    const { client, taskQueue } = builds.world
    const flows = createFlowClient(client, { taskQueue, flows: [approval] })
    const answered = await flows.answer<'approval'>(approvalCase, { step: 'decision', answer: 'approved' })
    expect(answered).toMatchObject({ kind: 'Answered' })
    expect(await flows.result(approvalCase)).toMatchObject({ result: { outcome: 'completed' } })
    expect(await builds.whereIs(approvalCase)).toEqual({ buildId: 'new', pinned: false })
  })

  test('another one uses the change from then on', async () => {
    await walkOn(waiting, 'issue', 'pickUpCode')
    await vi.waitFor(async () => expect(await memoOf(waiting.caseNo)).toEqual({ step: 'return' }), 5_000)
    expect(await builds.whereIs(waiting.caseNo)).toEqual({ buildId: 'new', pinned: false })
  })

  test('a pinned flow stays on the old build and completes there', async () => {
    expect(await builds.world.flows.status(issued.caseNo)).toMatchObject({ status: { stage: 'pickUp' } })
    await walkOn(issued, 'issue', 'pickUpCode')
    expect(await endOf(issued)).toBe('completed')
    expect(await builds.whereIs(issued.caseNo)).toEqual({ buildId: 'old', pinned: true })
    expect(await memoOf(issued.caseNo)).toEqual({})
  })

  test('flows that continue as new keep their behavior: the pinned one stays, the other restarts on the new build', async () => {
    const { world } = builds
    await Promise.all([growOld(world, oldIssue.caseNo), growOld(world, oldLoan.caseNo)])
    await vi.waitFor(async () => {
      expect(await builds.whereIs(oldIssue.caseNo)).toEqual({ buildId: 'old', pinned: true })
      expect(await builds.whereIs(oldLoan.caseNo)).toEqual({ buildId: 'new', pinned: false })
    })
    expect(await world.flows.cancel(oldIssue.caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
    expect(await world.flows.cancel(oldLoan.caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
  })

  test('going back is refused if a flow has used the change', async () => {
    const { objections } = await builds.promote('old', await bundle())
    expect(objections).toEqual([
      {
        reason: expect.stringContaining('do not replay with it'),
        cases: [expect.stringMatching(new RegExp(`^${waiting.caseNo}: .*nondeterminism`, 'i'))],
      },
    ])
    expect((await builds.promote('new', changed, { onlyCheck: true })).previous?.buildId).toBe('new')
    await walkOn(waiting, 'intake', 'deliveryCode')
    expect(await endOf(waiting)).toBe('completed')
  })
})

async function walkOn({ shipments }: Underway, role: string, code: 'deliveryCode' | 'pickUpCode'): Promise<void> {
  const shipment = shipments.find(each => each.role === role)
  if (shipment === undefined) throw new Error(`nothing was booked as ${role}`)
  await builds.world.open(shipment, code)
}
