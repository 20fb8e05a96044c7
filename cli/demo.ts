import { aborted, unlessAborted } from '#platform/interruption'
import { startStack } from '#testing/stack'
import { readPorts } from '#testing/stack/settings'
import { addressLines, caseLink, terminalLines, toAddresses } from './addresses.ts'
import { failed } from './command/failure.ts'
import { isGiven } from './command/values.ts'
import type { VerbCall } from './command/verb.ts'
import { playScenes } from './demo/programme.ts'
import { createTimeline, formatDuration } from './demo/timeline.ts'

/** Starts everything in a folder of its own, plays one loan of each flow, and stops. */
export async function run(call: VerbCall): Promise<void> {
  const { environment, output, signal } = call
  const print = (line: string) => {
    if (line !== '' || !output.json) output.item({ progress: line.trim() }, () => line)
  }
  const ports = readPorts(environment, 'free')
  const stack = await startStack({ ports, progress: print, interrupted: signal })
  try {
    print('')
    const played = await unlessAborted(playScenes(stack, createTimeline(print)), signal)
    print('')
    for (const { scene, durationMs, succeeded } of played) {
      const { caseNo } = scene
      const verdict = succeeded ? 'ok    ' : 'FAILED'
      output.item(
        { caseNo, durationMs, succeeded, link: caseLink(stack, caseNo) },
        () => `${verdict}  ${caseNo}  ${formatDuration(durationMs).padStart(6)}  ${caseLink(stack, caseNo)}`,
      )
    }
    const good = played.filter(({ succeeded }) => succeeded).length
    if (isGiven(call, 'keep')) {
      const lines = [
        '',
        'Everything keeps running. Ctrl-C stops it.',
        ...addressLines(stack),
        '',
        ...terminalLines(stack),
      ]
      output.item(toAddresses(stack), () => lines)
      await aborted(signal)
    }
    const sum = `${good} of ${played.length} flows ended as declared.`
    if (good < played.length) throw failed(sum)
    output.item({ succeeded: good, played: played.length }, () => ['', sum])
  } finally {
    await stack.stop()
  }
}
