import { argv } from 'node:process'
import { bundleFlows, installRuntime, type ReplayResult, readPromotion, replayEach } from '#worker'
import { findHistories, readHistory } from './replay/files.ts'

// Replays exported histories with the current workflows, for instance those of production before an upgrade.
try {
  const files = await findHistories(argv.slice(2))
  if (files.length === 0) throw new Error('found no history. Usage: npm run replay -- <folder or files>')
  const { bundle, dataConverter } = readPromotion()
  installRuntime('ERROR')
  const read = await Promise.allSettled(files.map(readHistory))
  const unread = read.flatMap((each, index): ReplayResult[] =>
    each.status === 'rejected' ? [{ workflowId: files[index] ?? '', reason: String(each.reason) }] : [],
  )
  const histories = read.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  let replayed = 0
  for (const each of unread) print(each)
  for await (const each of replayEach(bundle ?? (await bundleFlows()), histories, dataConverter)) {
    print(each)
    if (each.reason === undefined) replayed++
  }
  console.log(`${replayed} of ${files.length} histories replay.`)
  if (replayed < files.length) process.exitCode = 1
} catch (error) {
  console.error(`replay: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

function print({ workflowId, reason }: ReplayResult): void {
  console.log(reason === undefined ? `ok      ${workflowId}` : `FAILED  ${workflowId}: ${reason}`)
}
