import {
  bundleFlows,
  ensureRuntime,
  findHistories,
  type ReplayResult,
  readHistory,
  readPromotion,
  replayEach,
} from '#worker'
import { misuse, ReportedFailure } from '../command/failure.ts'
import type { Output } from '../command/output.ts'
import { requireReadable } from '../command/values.ts'
import type { VerbAction } from '../command/verb.ts'

/** Replays exported histories with the current workflows, for instance those of production before an upgrade. */
export const replay: VerbAction = {
  async run({ values, output, environment }) {
    const paths = values.filter(value => value !== undefined)
    for (const path of paths) await requireReadable('files', path)
    const files = await findHistories(paths)
    if (files.length === 0) throw misuse('files: must be histories or a folder with histories, but none was found.')
    const { bundle, dataConverter } = readPromotion({}, environment)
    ensureRuntime('ERROR')
    const read = await Promise.allSettled(files.map(readHistory))
    const unread = read.flatMap((each, index): ReplayResult[] =>
      each.status === 'rejected' ? [{ workflowId: files[index] ?? '', reason: String(each.reason) }] : [],
    )
    const histories = read.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
    let replayed = 0
    for (const each of unread) print(output, each)
    for await (const each of replayEach(bundle ?? (await bundleFlows()), histories, dataConverter)) {
      print(output, each)
      if (each.reason === undefined) replayed++
    }
    output.item({ replayed, histories: files.length }, () => `${replayed} of ${files.length} histories replay.`)
    if (replayed < files.length) throw new ReportedFailure()
  },
}

function print(output: Output, { workflowId, reason }: ReplayResult): void {
  output.item({ workflowId, reason }, () =>
    reason === undefined ? `ok      ${workflowId}` : `FAILED  ${workflowId}: ${reason}`,
  )
}
