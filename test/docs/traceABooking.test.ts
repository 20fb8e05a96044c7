import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { expect, inject, test } from 'vitest'
import { childEnvironment } from '../support/childEnvironment.ts'
import { copyExample } from '../support/examples/project.ts'
import { readBlocks } from './blocks.ts'

test('the starter of the page runs, with telemetry and without', async () => {
  const program = readBlocks('how-to/operate.md').find(({ language }) => language === 'ts')?.text ?? ''
  const { address, namespace } = inject('temporal')
  const cwd = await copyExample('typescript')
  const run = async (variables: Record<string, string>) => {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
      cwd,
      env: { ...childEnvironment, TEMPORAL_ADDRESS: address, TEMPORAL_NAMESPACE: namespace, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
    return { stdout, stderr, code }
  }
  const printed = { stdout: 'UnknownCase\n', code: 0 }
  expect(await run({})).toMatchObject(printed)
  expect(await run({ OTEL_TRACES_EXPORTER: 'console' })).toMatchObject(printed)
})
