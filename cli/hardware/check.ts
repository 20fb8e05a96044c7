import { signatureKey } from '#platform/settings'
import { type CheckOptions, checkAdapter, readCheckKey } from '#service/adapter'
import { CommandFailure, exitCodes, misuse, ReportedFailure } from '../command/failure.ts'
import { type Given, textOf } from '../command/values.ts'
import type { VerbCall } from '../command/verb.ts'

/** Checks an adapter of locker hardware over HTTP. The exit code is 1 if a check fails. */
export async function run({ options: given, output, environment }: VerbCall): Promise<void> {
  const { url, door, key, events, only } = readCheck({ options: given, values: [] }, environment)
  await requireAnswer(url)
  const results = await checkAdapter({ url, key, door, events, only }, result =>
    output.item(
      result,
      () => `${result.outcome}: ${result.name}${result.reason === undefined ? '' : `: ${result.reason}`}`,
    ),
  )
  const count = (outcome: string) => results.filter(result => result.outcome === outcome).length
  const [passed, failed, leftOut] = [count('passed'), count('failed'), count('left out')]
  const rest = leftOut > 0 ? `, ${leftOut} left out without --events-port` : ''
  output.item({ passed, failed, leftOut }, () => `${passed} passed, ${failed} failed${rest}`)
  if (failed > 0) throw new ReportedFailure()
}

/** @throws CommandFailure that names the option */
function readCheck(given: Given, environment: NodeJS.ProcessEnv): CheckOptions {
  const url = textOf(given, 'url') ?? ''
  if (!/^https?:/.test(URL.parse(url)?.protocol ?? ''))
    throw misuse(`--url: must be an http or https address, got "${url}".`)
  const lockerUid = requireUid('--locker', textOf(given, 'locker'))
  const port = textOf(given, 'eventsPort')
  if (port !== undefined && !(/^\d{1,5}$/.test(port) && Number(port) <= 65_535))
    throw misuse(`--events-port: must be a port, got "${port}".`)
  return {
    url,
    key: requireKey(textOf(given, 'key') ?? readCheckKey(environment)),
    door: {
      pupUid: requireUid('--pick-up-point', textOf(given, 'pickUpPoint')),
      lockerUid,
      lockerName: textOf(given, 'lockerName') ?? lockerUid,
    },
    events: port === undefined ? undefined : { host: textOf(given, 'eventsHost') ?? '127.0.0.1', port: Number(port) },
    only: textOf(given, 'only'),
  }
}

function requireKey(key: string | undefined): string {
  if (key === undefined) throw misuse('--key: must be given, or LOCKERFLOW_HARDWARE_KEY must be set.')
  const read = signatureKey.safeParse(key)
  if (read.success) return read.data
  throw misuse(`--key: ${read.error.issues[0]?.message}.`)
}

function requireUid(option: string, uid = ''): string {
  if (uid.length > 0 && uid.length <= 64) return uid
  throw misuse(`${option}: must be a uid of 1 to 64 characters, got "${uid}".`)
}

/** Otherwise every check would fail with the same reason. */
async function requireAnswer(url: string): Promise<void> {
  await fetch(url, { signal: AbortSignal.timeout(10_000) }).catch((error: Error) => {
    const reason = error.cause instanceof Error ? error.cause.message : error.message
    throw new CommandFailure('NotReachable', `--url: ${url} does not respond: ${reason}`, {
      exitCode: exitCodes.notReachable,
      remedy: 'Start the adapter, or correct the address.',
    })
  })
}
