import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from '../../cli/ports.ts'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'

const run = promisify(execFile)

test.each([
  ['prepare', ['worker/prepare.ts']],
  ['promote', ['worker/promotion/main.ts', '--deployment', 'lockerflow', '--build-id', 'next']],
  ['sweep', ['cli/lockerflow.ts', 'sweep']],
])('%s names the Temporal address that it cannot reach, and its variable', async (name, command) => {
  const address = `127.0.0.1:${await freePort('127.0.0.1')}`
  const env = { ...childEnvironment, TEMPORAL_ADDRESS: address }
  const failure = await run(process.execPath, command, { cwd: root, env }).catch(error => error)
  expect(failure).toMatchObject({ code: name === 'sweep' ? 3 : 1 })
  expect(failure.stderr).toMatch(`${name}: TEMPORAL_ADDRESS: Temporal cannot be reached at ${address}: `)
})

test.each([
  ['--build-id', '--deployment'],
  ['--deployment', '--build-id'],
])('a promotion with only %s reports that %s is missing', async (given, missing) => {
  const command = ['worker/promotion/main.ts', given, 'one']
  const env = { ...childEnvironment }
  const failure = await run(process.execPath, command, { cwd: root, env }).catch(error => error)
  expect(failure).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`promote: ${missing} is missing and LOCKERFLOW_`),
  })
})
