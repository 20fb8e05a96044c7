import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toWorkflowId } from '#flows'
import type { Stock } from '../../examples/nexus/typescript/workflows.ts'
import { readBlocks } from '../docs/blocks.ts'
import { endProcess } from '../support/endProcess.ts'
import { startWorker } from '../support/examples/exampleWorker.ts'
import { examples } from '../support/examples/languages.ts'
import { nexusCallers } from '../support/examples/nexusCallers.ts'
import { type CallerNamespace, startCallerNamespace } from '../support/nexus/callerNamespace.ts'
import { linkedFrom } from '../support/nexus/links.ts'
import { useWorld } from '../support/world/useWorld.ts'

const world = useWorld()
let shop: CallerNamespace

/** Milliseconds of the first build. */
const startTimeout = 900_000

beforeAll(async () => {
  shop = await startCallerNamespace(world.taskQueue)
})
afterAll(() => shop.stop())

for (const { name, lacks } of nexusCallers) if (lacks) console.warn(`examples/nexus/${name} is skipped: ${lacks}`)

describe.each(nexusCallers)('workflows of another namespace, in $name', ({ lacks, prepare }) => {
  const example = test.skipIf(lacks !== undefined)
  const taskQueue = `shop-${randomUUID()}`
  let worker: ChildProcess | undefined

  beforeAll(async () => {
    if (lacks === undefined)
      worker = await startWorker(await prepare(), { TEMPORAL_NAMESPACE: shop.namespace, SHOP_TASK_QUEUE: taskQueue })
  }, startTimeout)
  afterAll(() => worker && endProcess(worker))

  function start(workflowType: 'bookStock' | 'runStock', caseNo: string, pupUid = 'pup-1') {
    return shop.client.workflow.start<(order: Stock) => Promise<string>>(workflowType, {
      workflowId: `${workflowType}-${caseNo}`,
      taskQueue,
      args: [{ endpoint: shop.endpoint, caseNo, pupUid }],
    })
  }

  example('book a locker, with links in both histories', async () => {
    const caseNo = world.newCase()
    const handle = await start('bookStock', caseNo)
    const lockerName = await handle.result()
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ lockerName }])
    const flow = world.client.workflow.getHandle(toWorkflowId(caseNo))
    expect(await linkedFrom(handle)).toEqual([`${world.client.options.namespace} ${flow.workflowId}`])
    expect(await linkedFrom(flow)).toEqual([`${shop.namespace} ${handle.workflowId}`])
    await world.flows.cancel(caseNo, 'over')
  })

  example('get the code of a refused booking', async () => {
    const handle = await start('bookStock', world.newCase(0), 'nowhere')
    expect(await handle.result()).toBe('InvalidPupUid')
  })

  example('cancelled while a flow runs, wait until it has freed its locker', async () => {
    const caseNo = world.newCase()
    const handle = await start('runStock', caseNo)
    await world.statusWhen(caseNo, ({ stage }) => stage === 'dropOff')
    await handle.cancel()
    expect(await handle.result()).toBe('cancelled')
    expect(await world.shipmentsOf(caseNo)).toMatchObject([{ stateCode: 'Cancelled' }])
  })
})

test('the page shows the workflow of the example', () => {
  const shown = readBlocks('how-to/call-flows.md').filter(({ language }) => language === 'ts')
  expect(shown.length).toBeGreaterThan(0)
  for (const { info, text } of shown) expect(readFileSync(join(examples, '..', info), 'utf8')).toContain(text)
})
