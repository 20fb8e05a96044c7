import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { freePort } from '../../platform/ports.ts'
import { root } from '../project/sources.ts'
import { childEnvironment } from '../support/childEnvironment.ts'

const run = promisify(execFile)

test.each([
  ['prepare', ['worker/prepare.ts']],
  ['promote', ['cli/lockerflow.ts', 'promote', '--deployment', 'lockerflow', '--build-id', 'next']],
  ['sweep', ['cli/lockerflow.ts', 'sweep']],
])('%s names the Temporal address that it cannot reach, and its variable', async (name, command) => {
  const address = `127.0.0.1:${await freePort('127.0.0.1')}`
  const env = { ...childEnvironment, TEMPORAL_ADDRESS: address }
  const failure = await run(process.execPath, command, { cwd: root, env }).catch(error => error)
  expect(failure).toMatchObject({ code: name === 'prepare' ? 1 : 3 })
  expect(failure.stderr).toMatch(`${name}: TEMPORAL_ADDRESS: Temporal cannot be reached at ${address}: `)
})
