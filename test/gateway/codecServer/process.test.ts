import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { root } from '../../project/sources.ts'
import { childEnvironment } from '../../support/childEnvironment.ts'
import { newKey } from '../../support/codec/keys.ts'

/** Starts a codec server in a process of its own that gets SIGTERM once it is ready. */
async function startAndStop(before: string, whenReady = '') {
  const script = `
    ${before}
    const { runCodecServer } = await import('#gateway/codecServer/main')
    await runCodecServer(async ({ decode }) => {
      ${whenReady}
      process.kill(process.pid, 'SIGTERM')
    })`
  const settings = {
    LOCKERFLOW_CODEC_PORT: '0',
    LOCKERFLOW_CODEC_KEYS: newKey('2026-12'),
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

test('SIGTERM ends a codec server within ten seconds, also with a caller that does not finish its request', async () => {
  const unfinished = `
    const { connect } = await import('node:net')
    const { once } = await import('node:events')
    const socket = connect(new URL(decode).port, '127.0.0.1').on('error', () => undefined)
    const head = ['POST /decode HTTP/1.1', 'host: a', 'x-namespace: default']
    head.push('content-type: application/json', 'content-length: 100', 'expect: 100-continue', '', '')
    socket.write(head.join(String.fromCharCode(13, 10)))
    await once(socket, 'data')
    setTimeout(() => process.exit(3), 15_000)`
  expect(await startAndStop('', unfinished)).toMatchObject({ code: 0 })
})
