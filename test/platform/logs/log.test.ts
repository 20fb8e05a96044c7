import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { childEnvironment } from '../../support/childEnvironment.ts'

/** Runs a module in the project's folder. */
function run(module: string) {
  const code = `import { createProcessLog } from '#platform/logs'; const log = createProcessLog('service', 'info'); ${module}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { env: childEnvironment })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('lines share a write, for 20 ms or 8 KiB', async () => {
  const child = run(`
    const { default: fs } = await import('node:fs')
    const { write } = fs
    let writes = 0
    fs.write = (...args) => (writes++, write(...args))
    const startedAt = performance.now()
    for (let line = 0; line < 300; line++) {
      log.info('a line')
      await new Promise(resolve => setImmediate(resolve))
    }
    console.log(JSON.stringify({ writes, took: performance.now() - startedAt }))`)
  const [written, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  const { writes, took } = JSON.parse(written)
  expect(errors.trim().split('\n')).toHaveLength(300)
  expect(writes).toBeLessThanOrEqual(took / 20 + errors.length / 8_192 + 1)
})

test('a line alone is written soon', async () => {
  const child = run("log.info('alone'); setInterval(() => undefined, 60_000)")
  const [line] = await once(child.stderr, 'data')
  expect(JSON.parse(String(line))).toMatchObject({ name: 'service', msg: 'alone' })
})

test.each(['process.exit(1)', "throw new Error('broken')"])('lines that wait are written before %s', async end => {
  const child = run(`log.error('the last line'); ${end}`)
  expect(await text(child.stderr)).toContain('the last line')
})

/** Runs a module whose log cannot be written. It ends by itself, or the test waits for it. */
async function runWithLogOn(fd: number, module: string): Promise<{ printed: string; code: number | null }> {
  const code = `import { createProcessLog } from '#platform/logs'; const log = createProcessLog('service', 'info'); ${module}`
  const args = ['--input-type=module', '--eval', code]
  const child = spawn(process.execPath, args, { env: childEnvironment, stdio: ['ignore', 'pipe', fd] })
  onTestFinished(() => void child.kill('SIGKILL'))
  if (child.stdout === null) throw new Error('no standard output')
  const [printed, [exit]] = await Promise.all([text(child.stdout), once(child, 'close')])
  return { printed, code: exit }
}

const writesOn = `
  log.info('first')
  await new Promise(resolve => setTimeout(resolve, 100))
  log.info('second')
  console.log('goes on')`

test.skipIf(process.platform !== 'linux').each(['', 'process.exit(0)'])(
  'a full disk of the log neither ends the process nor keeps it: %s',
  async end => {
    const ended = await runWithLogOn(openSync('/dev/full', 'w'), `${writesOn}; ${end}`)
    expect(ended).toEqual({ printed: 'goes on\n', code: 0 })
  },
)

test.each(['', 'process.exit(0)'])('a reader of the log that has ended does neither: %s', async end => {
  const child = run(`process.stdin.once('data', () => { log.info('without a reader'); process.stdin.unref(); ${end} })
    log.info('read')`)
  const ended = once(child, 'exit')
  await once(child.stderr, 'data')
  child.stderr.destroy()
  await once(child.stderr, 'close')
  child.stdin.write('go on')
  expect(await ended).toEqual([0, null])
})

test('a reader of the log that stands still does not keep the process from ending', async () => {
  const child = run(
    `for (let line = 0; line < 5_000; line++) log.info('x'.repeat(100)); setTimeout(() => process.exit(0), 100)`,
  )
  child.stderr.pause()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('a reader that is slower than the log gets every line', async () => {
  const child = run(`for (let line = 0; line < 20_000; line++) log.info('a line of the log')`)
  let lines = 0
  for await (const chunk of child.stderr) {
    lines += String(chunk).split('\n').length - 1
    await new Promise(resolve => setImmediate(resolve))
  }
  expect(lines).toBe(20_000)
})
