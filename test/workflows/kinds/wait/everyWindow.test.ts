import { beforeAll, describe, expect, test } from 'vitest'
import type { FlowDeclaration, TimeoutPolicy } from '#flows'
import { declared, expectCleanedUp, stages } from '../../../support/flows/stages.ts'
import { openBefore, startFor, type Underway } from '../../../support/flows/underway.ts'
import { useWorld } from '../../../support/world/useWorld.ts'

const world = useWorld()

/** The flows of the project with the same policy for every window. */
function withPolicy(policy: TimeoutPolicy): Record<string, FlowDeclaration> {
  return Object.fromEntries(
    declared.map(flow => {
      const steps = flow.steps.map(step =>
        'wait' in step && step.window !== null ? { ...step, onTimeout: policy } : step,
      )
      return [flow.name, { ...flow, steps }]
    }),
  )
}

async function overdueIn(name: Underway['flow'], stage: string): Promise<Underway> {
  const underway = await startFor(world, name, stage, { [stage]: '300ms' })
  await openBefore(world, underway, stage)
  const status = await world.statusWhen(underway.caseNo, ({ overdue }) => overdue)
  expect(status).toMatchObject({ state: 'overdue', stage })
  return underway
}

describe('a window with the policy cancel', () => {
  beforeAll(() => world.restartWorker({ catalogue: withPolicy('cancel') }))

  test.each(stages)('$name in $stage expires', async ({ name, stage, declaration }) => {
    const underway = await startFor(world, name, stage, { [stage]: '300ms' })
    await openBefore(world, underway, stage)
    expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'expired' } })
    await expectCleanedUp(world, underway, declaration)
  })
})

describe('a window with the policy remind', () => {
  beforeAll(() => world.restartWorker({ catalogue: withPolicy('remind') }))

  test.each(stages)('$name in $stage is overdue, has another window, and can be cancelled', async row => {
    const underway = await overdueIn(row.name, row.stage)
    expect((await world.statusWhen(underway.caseNo, () => true)).deadline).not.toBeNull()
    expect(await world.flows.cancel(underway.caseNo, 'over')).toMatchObject({ outcome: 'cancelled' })
    await expectCleanedUp(world, underway, row.declaration)
  })
})

describe('a window with the policy ask', () => {
  beforeAll(() => world.restartWorker({ catalogue: withPolicy('ask') }))

  test.each(stages)('$name in $stage is extended, then kept waiting, then cancelled', async row => {
    const underway = await overdueIn(row.name, row.stage)
    const { caseNo } = underway
    await world.flows.decide(caseNo, { decision: 'extend', by: '200ms' })
    await world.statusWhen(caseNo, ({ overdue }) => overdue)
    const kept = await world.flows.decide(caseNo, { decision: 'keepWaiting' })
    expect(kept).toMatchObject({ kind: 'Decided', status: { state: 'waiting', overdue: false, deadline: null } })
    expect(await world.flows.decide(caseNo, { decision: 'cancel' })).toMatchObject({ code: 'NothingToDecide' })
    await world.flows.cancel(caseNo, 'over')
    await expectCleanedUp(world, underway, row.declaration)
  })

  test.each(stages)('$name in $stage is cancelled by decision', async row => {
    const underway = await overdueIn(row.name, row.stage)
    await world.flows.decide(underway.caseNo, { decision: 'cancel' })
    expect(await world.flows.result(underway.caseNo)).toMatchObject({ result: { outcome: 'cancelled' } })
    await expectCleanedUp(world, underway, row.declaration)
  })
})
