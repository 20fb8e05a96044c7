import { run } from './run.ts'

/** Worker Versioning, as the worker uses it, came with this version of the server. */
const oldestServer = { major: 1, minor: 29 }

/** Checks that a Temporal command runs and that its server is new enough; anything else is an error. */
export async function probe(command: string): Promise<void> {
  const answer = await run(command, ['--version'], { timeoutMs: 20_000 })
  const [found, major, minor] = /Server (\d+)\.(\d+)/.exec(answer) ?? []
  if (!found) throw new Error(`${command} --version answers "${answer}", which names no server`)
  if (
    Number(major) < oldestServer.major ||
    (Number(major) === oldestServer.major && Number(minor) < oldestServer.minor)
  )
    throw new Error(`${command} has "${found}", ${oldestServer.major}.${oldestServer.minor} or later is needed`)
}
