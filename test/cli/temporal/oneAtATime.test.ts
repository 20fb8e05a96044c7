import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { executable, fillCache } from '../../../cli/temporal/cache.ts'
import { findTemporalCommand } from '../../../cli/temporal/index.ts'
import { oneAtATime, type Source } from '../../../cli/temporal/sources.ts'
import { root } from '../../project/sources.ts'
import { childEnvironment } from '../../support/childEnvironment.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'

const command = '#!/bin/sh\necho "temporal version 1.5.1 (Server 1.29.1, UI 2.42.1)"\n'

/** A source that makes a command as the build does, as soon as the gate opens. */
function startBuilder(gate: Promise<void>) {
  const built: string[] = []
  const source: Source = {
    title: 'a quick build',
    find: ({ cacheFolder }) =>
      fillCache(cacheFolder, 'built', async folder => {
        built.push(folder)
        await gate
        await writeFile(join(folder, executable), command)
        return join(folder, executable)
      }),
  }
  return { source, built }
}

test('of two concurrent first starts, the second waits with a note and uses the command of the first', async () => {
  const cacheFolder = temporaryFolder()
  const gate = Promise.withResolvers<void>()
  const { source, built } = startBuilder(gate.promise)
  const notes: string[] = []
  const find = () => findTemporalCommand(line => notes.push(line), { cacheFolder, sources: [oneAtATime(source)] })
  const both = Promise.all([find(), find()])
  await expect.poll(() => notes).toEqual([expect.stringMatching(/^Waiting for another process/)])
  gate.resolve()
  const [first, second] = await both
  expect(second).toBe(first)
  expect(built).toHaveLength(1)
})

test('the lock of a process that was killed is free', async () => {
  const cacheFolder = temporaryFolder()
  const code = `
    import { withCacheLock } from './cli/temporal/cacheLock.ts'
    import { cliVersion } from './cli/temporal/cache.ts'
    const lock = { name: 'temporal-' + cliVersion, onWait: () => undefined }
    await withCacheLock(${JSON.stringify(cacheFolder)}, lock, () => {
      console.log('locked')
      return new Promise(resolve => setTimeout(resolve, 600_000))
    })`
  const args = ['--input-type=module-typescript', '--eval', code]
  const holder = spawn(process.execPath, args, {
    cwd: root,
    env: childEnvironment,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')
  const { source, built } = startBuilder(Promise.resolve())
  const notes: string[] = []
  const finding = findTemporalCommand(line => notes.push(line), { cacheFolder, sources: [oneAtATime(source)] })
  await expect.poll(() => notes).toHaveLength(1)
  expect(built).toEqual([])
  holder.kill('SIGKILL')
  await finding
  expect(built).toHaveLength(1)
})
