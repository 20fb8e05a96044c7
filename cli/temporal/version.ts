import { run } from './run.ts'

/** Version of Temporal's command with which lockerflow is tested. It contains server 1.32.0. */
export const commandVersion = '1.9.1'

/** Oldest server that lockerflow supports. */
const oldestServer = { major: 1, minor: 31 }

/**
 * Returns the version of a Temporal command, such as 1.9.1.
 * @throws Error if the command does not run or its server is too old
 */
export async function probe(command: string): Promise<string> {
  const output = await run(command, ['--version'], { timeoutMs: 20_000 })
  const [found, version, major, minor] = /version (\d+\.\d+\.\d+).*Server (\d+)\.(\d+)/.exec(output) ?? []
  if (!found || version === undefined)
    throw new Error(`${command} --version prints "${output}" without a server version`)
  const isTooOld =
    Number(major) < oldestServer.major || (Number(major) === oldestServer.major && Number(minor) < oldestServer.minor)
  if (isTooOld)
    throw new Error(
      `${command} has server ${major}.${minor}, and needs ${oldestServer.major}.${oldestServer.minor} or later`,
    )
  return version
}

/** True if two versions have the same major and minor number. */
export function isSameMinor(version: string, other: string): boolean {
  const minorOf = (text: string) => text.split('.').slice(0, 2).join('.')
  return minorOf(version) === minorOf(other)
}
