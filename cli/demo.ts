import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addressLines, caseLink } from './addresses.ts'
import { playScenes } from './demo/programme.ts'
import { createTimeline, formatDuration } from './demo/timeline.ts'
import { environmentWith } from './environment.ts'
import { aborted, runInterruptible, unlessAborted } from './interruption.ts'
import { readPorts } from './settings.ts'
import { startStack } from './stack.ts'

const print = (line: string) => console.log(line)

await runInterruptible('demo', async interrupted => {
  const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } })
  const ports = readPorts(environmentWith(), 'free')
  const folder = await mkdtemp(join(tmpdir(), 'lockerflow-demo-'))
  try {
    const stack = await startStack({ folder, ports, progress: print, interrupted })
    try {
      print('')
      const played = await unlessAborted(playScenes(stack, createTimeline(print)), interrupted)
      print('')
      for (const { scene, durationMs, succeeded } of played) {
        const verdict = succeeded ? 'ok    ' : 'FAILED'
        print(
          `${verdict}  ${scene.caseNo}  ${formatDuration(durationMs).padStart(6)}  ${caseLink(stack, scene.caseNo)}`,
        )
      }
      const good = played.filter(({ succeeded }) => succeeded).length
      if (values.keep) {
        print(['', 'Everything keeps running. Ctrl-C stops it.', ...addressLines(stack)].join('\n'))
        await aborted(interrupted)
      }
      print(`\n${good} of ${played.length} flows ended as declared.`)
      return good === played.length ? 0 : 1
    } finally {
      await stack.stop()
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
