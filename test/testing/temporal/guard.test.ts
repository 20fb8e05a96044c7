import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { allEnded } from '../../support/command/stackCommand.ts'

const serverProcess = import.meta.resolve('../../../testing/temporal/serverProcess.ts')

/** Starts a server that runs for minutes, prints its process id, and waits. */
const program = `
  import { startProcess } from ${JSON.stringify(serverProcess)}
  console.log((await startProcess('sleep', ['600'], '/dev/null')).pid)
  setInterval(() => undefined, 1_000)
`

test.skipIf(process.platform === 'win32')(
  'a server ends with the process that has started it, even by SIGKILL',
  async () => {
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void parent.kill('SIGKILL'))
    const [line] = await once(parent.stdout, 'data')
    const server = Number(line)
    expect(server).toBeGreaterThan(0)
    process.kill(server, 0)
    parent.kill('SIGKILL')
    await allEnded([server])
  },
)
