import { argv } from 'node:process'
import { bundleFlows, installRuntime, type Replayed, readPromotion, replayEach } from '#worker'
import { filesIn, readHistory } from './replay/files.ts'

// Holds histories against the workflows of this folder, for instance those of production before an upgrade.
try {
  const files = await filesIn(argv.slice(2))
  if (files.length === 0) throw new Error('there is no history to replay: npm run replay -- <folder or files>')
  const { bundle } = readPromotion()
  installRuntime('ERROR')
  const read = await Promise.allSettled(files.map(readHistory))
  const unread = read.flatMap((each, index): Replayed[] =>
    each.status === 'rejected' ? [{ workflowId: files[index] ?? '', reason: String(each.reason) }] : [],
  )
  const histories = read.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  let good = 0
  for (const each of unread) print(each)
  for await (const each of replayEach(bundle ?? (await bundleFlows()), histories)) {
    print(each)
    if (each.reason === undefined) good++
  }
  console.log(`${good} of ${files.length} histories replay.`)
  if (good < files.length) process.exitCode = 1
} catch (error) {
  console.error(`replay: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
}

function print({ workflowId, reason }: Replayed): void {
  console.log(reason === undefined ? `ok      ${workflowId}` : `FAILED  ${workflowId}: ${reason}`)
}
