import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'
import { newKey } from '../support/codec/keys.ts'

/** Starts a codec server in a process of its own that gets SIGTERM once it is ready. */
async function startAndStop(before: string) {
  const script = `
    ${before}
    const { runCodecServer } = await import('#codecServer/process')
    await runCodecServer(() => process.kill(process.pid, 'SIGTERM'))`
  const settings = {
    LOCKERFLOW_CODEC_PORT: '0',
    LOCKERFLOW_CODEC_KEYS: newKey('2026-12'),
    LOCKERFLOW_CODEC_USERS: 'robin:a-long-password-of-robin',
  }
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: root,
    env: { ...childEnvironment, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [output, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
  return { output, code }
}

test('SIGTERM ends a codec server cleanly', async () => {
  expect(await startAndStop('')).toEqual({ output: '', code: 0 })
})

test('a stop that fails is one line without a stack, and exit code 1', async () => {
  const fault = `
    const { Server } = await import('node:http')
    const { closeIdleConnections } = Server.prototype
    Server.prototype.closeIdleConnections = () => {
      Server.prototype.closeIdleConnections = closeIdleConnections
      throw new Error('not closed')
    }`
  expect(await startAndStop(fault)).toEqual({ output: 'codec: not closed\n', code: 1 })
})
