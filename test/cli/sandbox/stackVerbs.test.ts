import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeDevFile } from '../../../cli/sandbox/devFile.ts'
import { isStackRunning } from '../../../cli/sandbox/stackVerbs.ts'
import { runCommandLine } from '../../support/command/processLike.ts'
import { json, raw, startStandIn } from '../../support/servers/apiStandIn.ts'
import { temporaryFolder } from '../../support/service/temporaryStore.ts'

/** Enters a folder whose stack listens at this address, as a process that runs. */
async function enterStack(url: string): Promise<void> {
  const [home, folder] = [process.cwd(), temporaryFolder()]
  mkdirSync(join(folder, '.lockerflow'))
  await writeDevFile(join(folder, '.lockerflow'), {
    ...{ pid: process.pid, baseUrl: url, clientId: 'acme', clientSecret: 's', gatewayUrl: url },
    ...{ temporal: { address: '127.0.0.1:2', namespace: 'default' }, control: { url, token: 'token' } },
  })
  process.chdir(folder)
  onTestFinished(() => process.chdir(home))
}

/** The address of another program that has the port of an earlier stack. */
async function otherProgram(reply = raw(404, '<html>')): Promise<string> {
  const program = await startStandIn()
  program.operation = reply
  onTestFinished(() => program.stop())
  return program.url
}

test.each([
  ['no program', async () => 'http://127.0.0.1:2'],
  ['a program with pages', () => otherProgram()],
  ['a program with JSON', () => otherProgram(json(404, { error: 'not found' }))],
])('a stack that was killed, with %s at its port, is named by its address and its file', async (_name, start) => {
  const url = await start()
  await enterStack(url)
  for (const words of [['restore'], ['clock', 'advance', '1h']]) {
    const { code, stderr } = await runCommandLine({}, words)
    expect(code).toBe(3)
    expect(stderr).toContain(`The stack of .lockerflow/dev.json does not respond at ${url}`)
    expect(stderr).toContain(`If process ${process.pid} is not lockerflow dev, delete .lockerflow/dev.json.`)
  }
  // Another stack can start.
  expect(await isStackRunning()).toBe(false)
})
