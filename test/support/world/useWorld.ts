import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { workflowIdOf } from '#contract/terms'
import { replay } from '#worker'
import { pass } from '../wire/wire.ts'
import { bundle } from './bundle.ts'
import { expectLockersConsistent, expectSettled } from './invariants.ts'
import type { Temporal, WorldOptions } from './parts.ts'
import { createWorld, type World } from './world.ts'

/**
 * One world for a test file. After each test it is checked that nothing was lost or booked twice and that no flow
 * hangs; at the end every history that the file made is replayed.
 * @param temporal where the server is; the one that all files share when left out
 */
export function useWorld(options: WorldOptions = {}, temporal: () => Temporal = () => inject('temporal')): World {
  // Filled before the first test, so that tests can take it apart at the top of their file.
  const world = {} as World
  const lived: string[] = []

  beforeAll(async () => {
    Object.assign(world, await createWorld(temporal(), options))
  })

  afterEach(async () => {
    world.toService.rule = () => pass
    world.toGateway.rule = () => pass
    const cases = [...world.cases]
    world.cases.clear()
    lived.push(...cases.map(([caseNo]) => caseNo))
    for (const [caseNo, booked] of cases) await expectSettled(world, caseNo, booked)
    await expectLockersConsistent(world.api)
  })

  afterAll(async () => {
    const histories = await Promise.all(
      lived.map(async caseNo => {
        const workflowId = workflowIdOf(caseNo)
        return { workflowId, history: await world.client.workflow.getHandle(workflowId).fetchHistory() }
      }),
    )
    await world.stop()
    if (histories.length > 0) expect(await replay(await bundle(), histories)).toEqual([])
  })

  return world
}
