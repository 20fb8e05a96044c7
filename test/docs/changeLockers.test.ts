import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { stringify } from 'yaml'
import { demoTopology, type Topology } from '#service'
import { root } from '../project/sources.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'
import { startTestService } from '../support/service/testService.ts'
import { readBlocks } from './blocks.ts'
import { runSteps, stepsOf } from './commands.ts'

const booking = {
  PupUid: 'pup-1',
  AllowLargerLockers: false,
  AllowOverflowLockers: false,
  Dimension: { width: 10, height: 10, length: 10 },
}

/** The demonstration topology with the ranges that the page names. */
const shorter: Topology = {
  ...demoTopology,
  pickUpPoints: demoTopology.pickUpPoints.map(point => {
    if (point.pupUid !== 'pup-1') return point
    const [low, high] = point.lockers
    if (!low || !high) throw new Error('the demonstration topology has changed')
    expect([low.names, high.names]).toEqual(['1-8', '9-12'])
    return {
      ...point,
      lockers: [
        { ...low, names: '2-8' },
        { ...high, names: '9-11' },
      ],
    }
  }),
}

/** Output with the same uid and moment everywhere. */
const plain = (output: string) =>
  output.replaceAll(/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g, '<uid>').replaceAll(/\d{4}-[\d-]+T[\d:.]+\d/g, '<time>')

test('the drill of a broken locker prints the shown output', { timeout: 300_000 }, async () => {
  const folder = temporaryFolder()
  const databaseUrl = `file:${join(folder, 'service.db')}`
  const service = await startTestService({ databaseUrl })
  onTestFinished(() => service.stop())
  const book = (fields = {}) => service.call('CreateLocalShipmentAsStock', { ...booking, ...fields })
  expect((await book({ Details: { ReferenceCaseNo: 'L-2001' } })).body).toMatchObject({ success: true })
  writeFileSync(join(folder, 'topology.yaml'), stringify(shorter))

  const steps = stepsOf(readBlocks('how-to/connect-lockers.md'))
  expect(steps).toHaveLength(5)
  // In a clone `npx` finds no command.
  const direct = (commands: string) =>
    commands.replaceAll('npx lockerflow', `'${process.execPath}' '${join(root, 'cli', 'lockerflow.ts')}'`)
  const printed = await runSteps(
    steps.map(step => ({ ...step, commands: direct(step.commands) })),
    { LOCKERFLOW_DATABASE_URL: databaseUrl },
    folder,
  )
  expect(printed.map(plain)).toEqual(steps.map(({ expected = '' }) => plain(expected)))

  // The running service has followed.
  for (const LockerUid of ['pup-1:1', 'pup-1:12']) {
    expect((await book({ LockerUid })).body).toMatchObject({ error: 'InvalidLocker' })
  }
  expect((await book()).body).toMatchObject({ success: true })
})
