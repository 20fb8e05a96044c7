import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPeople } from './demo/people.ts'
import { play } from './demo/scene.ts'
import { scenes } from './demo/scenes.ts'
import { createTimeline, duration } from './demo/timeline.ts'
import { interrupted } from './interrupted.ts'
import { addressesOf, linkTo, startStack } from './stack.ts'

const { values } = parseArgs({ options: { keep: { type: 'boolean', default: false } } })
const print = (line: string) => console.log(line)
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
    const robin = await stack.api.call('CreateOrGetAccount', {
      emailAddress: 'robin@example.org',
      firstName: 'Robin',
      lastName: 'Reader',
      pickUpPointUid: 'pup-1',
    })
    const timeline = createTimeline(print)
    const people = createPeople(stack.api)
    print('')
    const played = await Promise.all(
      scenes(robin.userUid ?? '').map(scene => play(scene, stack.flows, people, timeline)),
    )
    print('')
    for (const { scene, took, well } of played) {
      print(
        `${well ? 'ok    ' : 'FAILED'} ${scene.flow.padEnd(6)} ${scene.caseNo}  ${duration(took)}  ${linkTo(stack, scene.caseNo)}`,
      )
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
