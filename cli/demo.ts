import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { addressesOf, linkTo } from './addresses.ts'
import { playAll } from './demo/programme.ts'
import { createTimeline, duration } from './demo/timeline.ts'
import { interrupted } from './interrupted.ts'
import { startStack } from './stack.ts'

const print = (line: string) => console.log(line)

const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } })
const folder = await mkdtemp(join(tmpdir(), 'lockerflow-demo-'))
try {
  process.exitCode = (await demonstrate()) ? 0 : 1
} catch (error) {
  console.error(`demo: ${error instanceof Error ? error.message : String(error)}`)
  process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

/** Runs the demonstration flows on real parts; true when every one ended as declared. */
async function demonstrate(): Promise<boolean> {
  const stack = await startStack({ folder, progress: print })
  try {
    print('')
    const played = await playAll(stack, createTimeline(print))
    print('')
    for (const { scene, took, well } of played) {
      const verdict = well ? 'ok    ' : 'FAILED'
      print(`${verdict}  ${scene.caseNo}  ${duration(took).padStart(6)}  ${linkTo(stack, scene.caseNo)}`)
    }
    const good = played.filter(({ well }) => well).length
    if (values.keep) {
      print(['', 'Everything stays up; Ctrl-C ends it.', ...addressesOf(stack)].join('\n'))
      await interrupted()
    }
    print(`\n${good} of ${played.length} flows ended as declared.`)
    return good === played.length
  } finally {
    await stack.stop()
  }
}
