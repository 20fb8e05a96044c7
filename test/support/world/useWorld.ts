import { afterAll, afterEach, beforeAll, expect, inject } from 'vitest'
import { toWorkflowId } from '#flows'
import { replay } from '#worker'
import { pass } from '../../../testing/stack/wire.ts'
import { bundle } from './bundle.ts'
import type { WorldOptions } from './createWorld.ts'
import { createWorld } from './createWorld.ts'
import type { FlowOptions, World } from './flowWorld.ts'
import { cutOffEndedCases, expectLockersConsistent, expectSettled } from './invariants.ts'
import type { Temporal } from './settings.ts'

/**
 * One world for a test file. After each test it checks that nothing was lost or booked twice and that no flow hangs.
 * At the end it replays every history of the file.
 * @param temporal the server; by default the one that all files share
 */
export function useWorld(
  options: WorldOptions & Omit<FlowOptions, 'temporal'> = {},
  temporal: () => Temporal = () => inject('temporal'),
): World {
  // Filled before the first test, so that tests can destructure it at the top of their file.
  const world = {} as World
  const lived: string[] = []

  beforeAll(async () => {
    Object.assign(world, await createWorld({ ...options, temporal: temporal() }))
  })

  afterEach(async () => {
    await cutOffEndedCases(world)
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
        const workflowId = toWorkflowId(caseNo)
        return { workflowId, history: await world.client.workflow.getHandle(workflowId).fetchHistory() }
      }),
    )
    await world.stop()
    if (histories.length > 0) expect(await replay(await bundle(), histories, options.dataConverter)).toEqual([])
  })

  return world
}
