import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { incompatibleBundle } from '../support/flows/changedBundle.ts'
import { startFor } from '../support/flows/underway.ts'
import { createWorld } from '../support/world/createWorld.ts'
import type { World } from '../support/world/flowWorld.ts'

let world: World

beforeAll(async () => {
  world = await createWorld({ temporal: inject('temporal') })
})

afterAll(() => world.stop())

test('a case whose history the worker does not replay is not an unknown one', async () => {
  const { caseNo } = await startFor(world, 'issue')
  await world.restartWorker({ bundle: await incompatibleBundle() })
  await expect(world.flows.status(caseNo)).rejects.toMatchObject({ code: 'NoResponseInTime' })
  await world.restartWorker()
  expect(await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')).toMatchObject({ state: 'waiting' })
  expect(await world.flows.cancel(caseNo, 'over')).toMatchObject({ kind: 'Cancelled' })
})
