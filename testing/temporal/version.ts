import { isOlder, minimumServer } from '#worker/deployment'
import { run } from './run.ts'

/** Version of Temporal's command with which lockerflow is tested. It contains server 1.32.0. */
export const commandVersion = '1.9.1'

/**
 * Returns the version of a Temporal command, such as 1.9.1.
 * @throws Error if the command does not run or its server is too old
 */
export async function probe(command: string): Promise<string> {
  const output = await run(command, ['--version'], { timeoutMs: 20_000 })
  const [, version, server] = /version (\d+\.\d+\.\d+).*Server (\d+\.\d+\.\d+)/.exec(output) ?? []
  if (version === undefined || server === undefined)
    throw new Error(`${command} --version prints "${output}" without a server version`)
  if (isOlder(server, minimumServer))
    throw new Error(`${command} has server ${server}, and needs ${minimumServer} or later`)
  return version
}

/** True if two versions have the same major and minor number. */
export function isSameMinor(version: string, other: string): boolean {
  const minorOf = (text: string) => text.split('.').slice(0, 2).join('.')
  return minorOf(version) === minorOf(other)
}
