import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { root } from '../project/sources.ts'
import { findActionlint } from '../support/examples/actionlint.ts'

// The other examples of tests run with the installed packages, in test/packages/installedExamples.test.ts.
test('the workflow of GitHub caches the folder of Temporal, and passes actionlint', async context => {
  const file = join(root, 'examples', 'testing', 'github-actions.yml')
  const steps = Object.values(parse(await readFile(file, 'utf8')).jobs as Record<string, { steps: object[] }>)[0]?.steps
  expect(steps).toContainEqual(
    expect.objectContaining({ with: expect.objectContaining({ path: '~/.cache/lockerflow' }) }),
  )
  expect(steps).toContainEqual(expect.objectContaining({ with: expect.objectContaining({ 'node-version': 24 }) }))
  const actionlint = await findActionlint(line => console.error(line))
  if (actionlint === undefined) context.skip('the PATH has no go')
  else expect(await promisify(execFile)(actionlint, [file])).toMatchObject({ stdout: '' })
})
