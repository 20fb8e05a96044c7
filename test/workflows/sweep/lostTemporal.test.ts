import { randomUUID } from 'node:crypto'
import { Client } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createFlowClient } from '#client'
import { fullProfile } from '#contract/terms'
import { ensureAttributes, type RunningWorker, startWorker } from '#worker'
import { ensureNamespace } from '../../worker/namespace.ts'
import { bundle } from './bundle.ts'
import { eventually } from './eventually.ts'
import { expectTakenOver, sweepCase, terminate } from './orphans.ts'
import { stages } from './stages.ts'
import { startFor, walk } from './underway.ts'
import { useWorld } from './useWorld.ts'
import type { World } from './world.ts'

const world = useWorld()

/** A namespace that knows none of the flows, as a Temporal server that was set up anew. */
const namespace = `lost-${randomUUID()}`
let worker: RunningWorker
let anew: Pick<World, 'client' | 'taskQueue' | 'flows' | 'open' | 'statusWhen'>

beforeAll(async () => {
  const temporal = { address: inject('temporal').address }
  const connection = await NativeConnection.connect(temporal)
  await ensureNamespace(connection, namespace, { retention: 86_400_000 })
  await ensureAttributes(connection, namespace, { register: true })
  await connection.close()
  const { taskQueue, open, apiSettings: api } = world
  // Nobody calls back here, so flows look for themselves.
  const looks = { first: 200, longest: 200 }
  const settings = { temporal, namespace, taskQueue, api, looks, profile: fullProfile, bundle: await bundle() }
  worker = await startWorker({ ...settings, environment: 'staging' })
  const client = new Client({ connection: world.client.connection, namespace })
  const flows = createFlowClient(client, { taskQueue })
  anew = {
    client,
    taskQueue,
    open,
    flows,
    statusWhen: (caseNo, holds) =>
      eventually(async () => {
        const answer = await flows.status(caseNo)
        return answer.kind === 'Status' && holds(answer.status) ? answer.status : undefined
      }),
  }
})

afterAll(() => worker.stop())

describe('after its Temporal server is lost', () => {
  test.each(stages)('$name is taken over in $stage, and led to its end', async ({ name, stage }) => {
    const underway = await startFor(world, name, stage)
    await walk(world, underway, stage)
    await terminate(world, underway.caseNo)
    const { caseNo } = underway
    expect(await sweepCase(anew, caseNo)).toMatchObject({ flow: null, why: 'Temporal does not know the case' })
    expect(await sweepCase(anew, caseNo, { act: 'adopt', flow: name })).toMatchObject({ adopted: true })
    await expectTakenOver(anew, underway, stage)
  })
})
