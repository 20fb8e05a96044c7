import { randomUUID } from 'node:crypto'
import { Client } from '@temporalio/client'
import { NativeConnection } from '@temporalio/worker'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { createFlowClient } from '#client'
import { ensureSearchAttributes, type RunningWorker, startWorker } from '#worker'
import { ensureNamespace } from '../../../worker/namespace.ts'
import { expectTakenOver, sweepCase, terminate } from '../../support/flows/orphans.ts'
import { stages } from '../../support/flows/stages.ts'
import { startFor, walk } from '../../support/flows/underway.ts'
import { statusWhenOf, type World } from '../../support/world/flowWorld.ts'
import { workerSettings } from '../../support/world/settings.ts'
import { useWorld } from '../../support/world/useWorld.ts'

const world = useWorld()

/** A namespace that knows none of the flows, as a Temporal server that was set up anew. */
const namespace = `lost-${randomUUID()}`
let worker: RunningWorker
let anew: Pick<World, 'client' | 'taskQueue' | 'flows' | 'open' | 'statusWhen'>

beforeAll(async () => {
  const temporal = { address: inject('temporal').address }
  const connection = await NativeConnection.connect(temporal)
  await ensureNamespace(connection, namespace, { retention: 86_400_000 })
  await ensureSearchAttributes(connection, namespace, { register: true })
  await connection.close()
  const { taskQueue, open } = world
  // No gateway serves this namespace, so the flows poll.
  const pollInterval = { initial: 200, maximum: 200 }
  const settings = await workerSettings({ ...temporal, namespace }, taskQueue, world.apiSettings)
  worker = await startWorker({ ...settings, pollInterval })
  const client = new Client({ connection: world.client.connection, namespace })
  const flows = createFlowClient(client, { taskQueue })
  anew = {
    client,
    taskQueue,
    open,
    flows,
    statusWhen: statusWhenOf(flows),
  }
})

afterAll(() => worker.stop())

describe('after its Temporal server is lost', () => {
  test.each(stages)('$name is adopted in $stage, and completes', async ({ name, stage }) => {
    const underway = await startFor(world, name, stage)
    await walk(world, underway, stage)
    await terminate(world, underway.caseNo)
    const { caseNo } = underway
    expect(await sweepCase(anew, caseNo)).toMatchObject({ flow: null, reason: 'Temporal does not know the case' })
    expect(await sweepCase(anew, caseNo, { act: 'adopt', flow: name })).toMatchObject({ adopted: true })
    await expectTakenOver(anew, underway, stage)
  })
})
