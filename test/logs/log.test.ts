import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { childEnvironment } from '../support/childEnvironment.ts'

/** Runs a module in the project's folder. */
function run(module: string) {
  const code = `import { createProcessLog } from '#logs'; const log = createProcessLog('service', 'info'); ${module}`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], { env: childEnvironment })
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

test('lines share a write, for 20 ms or 8 KiB (D-345)', async () => {
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
