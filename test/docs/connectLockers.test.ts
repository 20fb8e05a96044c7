import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { checkAdapter } from '#service/adapter'
import { freePort } from '../../platform/ports.ts'
import { guardChild } from '../../testing/temporal/serverProcess.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { temporaryFolder } from '../support/service/temporaryStore.ts'
import { readBlocks } from './blocks.ts'

function writeAdapter(): string {
  const file = join(temporaryFolder(), 'adapter.mjs')
  writeFileSync(file, readBlocks('how-to/connect-lockers.md').find(({ language }) => language === 'js')?.text ?? '')
  return file
}

test.each([{}, { HARDWARE_KEY: '' }])('the adapter of the page does not start without a key: %j', async key => {
  const env = { ...childEnvironment, ...key, PORT: '0' }
  const child = spawn(process.execPath, [writeAdapter()], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  child.stdout.once('data', () => child.kill('SIGKILL'))
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  expect([code, errors]).toEqual([1, expect.stringContaining('HARDWARE_KEY must be set.')])
})

test('the adapter of the page passes every check', async () => {
  const file = writeAdapter()
  const key = 'key-of-the-adapter-on-the-page'
  const port = await freePort('127.0.0.1')
  const env = { ...childEnvironment, HARDWARE_KEY: key, PORT: '0', EVENTS_URL: `http://127.0.0.1:${port}/` }
  const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  guardChild(child, 1)
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface(child.stdout), 'line')
  const url = /^adapter ready: (\S+)$/.exec(line)?.[1] ?? ''
  const door = { pupUid: 'pup-1', lockerUid: 'pup-1:1', lockerName: '1' }
  const results = await checkAdapter({ url, key, door, events: { host: '127.0.0.1', port } })
  expect(results.filter(({ outcome }) => outcome !== 'passed')).toEqual([])
})
