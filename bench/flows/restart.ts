import { randomUUID } from 'node:crypto'
import { toWorkflowId } from '#flows'
import { status } from '#flows/messages'
import type { Row } from '../row.ts'
import { inParallel } from './batch.ts'
import { issue } from './journeys.ts'
import { readOptions } from './options.ts'
import { startSide } from './sides.ts'
import { startWorld, type World } from './world.ts'

const mebibyte = 1_024 * 1_024
/** Queries that wait at the same time. */
const concurrency = 50

/** The cost of a worker that was killed: the next one replays the history of each waiting flow at its first query. */
export async function benchRestart(): Promise<Row[]> {
  const { open } = readOptions(process.argv.slice(3))
  const world = await startWorld()
  try {
    return await restart(world, open)
  } finally {
    await world.stop()
  }
}

async function restart(world: World, open: number): Promise<Row[]> {
  const first = await startSide(world, 'ours')
  const workflowIds: string[] = []
  await inParallel(open, 20, async () => {
    const caseNo = `R-${randomUUID()}`
    await first.start(issue, caseNo, await issue.prepare(world))
    workflowIds.push(toWorkflowId(caseNo))
  })
  await first.worker.stop()

  const next = await startSide(world, 'ours', first.taskQueue)
  try {
    const before = await next.worker.run({ measure: 'processors' })
    const began = performance.now()
    const left = [...workflowIds]
    await inParallel(open, concurrency, async () => {
      await world.client.workflow.getHandle(left.pop() ?? '').query(status)
    })
    const seconds = (performance.now() - began) / 1_000
    const after = await next.worker.run({ measure: 'processors' })
    const row = (what: string, unit: string, ours: number): Row => ({
      what: `restart, ${open} waiting, ${what}`,
      unit,
      ours,
    })
    return [
      row('until all answer', 's', seconds),
      row('processor time of the worker per flow', 'ms', ((after.seconds - before.seconds) * 1_000) / open),
      row('resident memory of the worker', 'MiB', after.resident / mebibyte),
      row('of it before the first query', 'MiB', before.resident / mebibyte),
    ]
  } finally {
    await next.worker.stop()
  }
}
