import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { root } from '../project/sources.ts'
import { readBlocks } from './blocks.ts'

let program: string

beforeAll(() => {
  const block = readBlocks('how-to/test-your-flows.md').find(({ text }) => text.includes('loadFlows('))
  const [loading] = block?.text.split('await using') ?? []
  program = `import { describeFault, loadFlows } from '#flows/check'\n${loading}console.log(Object.keys(flows), describeFault.name)\n`
})

/** Runs the lines of the page that load declarations, in a folder with one of them. */
async function load(file: string, declaration: string): Promise<{ stdout: string; stderr: string }> {
  const folder = await mkdtemp(join(root, '.lockerflow', 'loading-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'flows'))
  await writeFile(join(folder, 'flows', file), declaration)
  await writeFile(join(folder, 'load.ts'), program)
  return promisify(execFile)(process.execPath, ['load.ts'], { cwd: folder })
}

const steps = 'steps:\n  - { name: rest, summary: Time passes., sleep: 1h }\n'

test('the lines of the page load a declaration', async () => {
  const declaration = `name: pause\nsummary: Time passes.\ninput: {}\n${steps}`
  expect((await load('pause.yaml', declaration)).stdout).toContain('pause')
})

test.each([
  ['a declaration with a fault', 'pause.yaml', `name: pause\ninput: {}\n${steps}`, 'pause.summary: must be given.'],
  ['a pattern that matches no file', 'pause.yml', '', './flows/*.yaml: the declaration: must match a file.'],
])('they end with the fault of %s', async (_, file, declaration, fault) => {
  await expect(load(file, declaration)).rejects.toMatchObject({ stderr: expect.stringContaining(fault) })
})
