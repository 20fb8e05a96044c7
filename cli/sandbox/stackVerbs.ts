import { CommandFailure, exitCodes, misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { readDuration } from '../flow/duration.ts'
import type { ControlRequest } from './control.ts'
import { type DevStack, devFolder, readDevFile } from './devFile.ts'
import type { DevTime } from './devStack.ts'
import { listSnapshots, restoreFiles, saveFiles } from './snapshots.ts'

/** Saves the service, the flows and the clock of `lockerflow dev` in this folder, running or not. */
export async function snapshot({ values, options, output }: VerbCall): Promise<void> {
  if (options.list === true) {
    if (values[0] !== undefined) throw misuse('name: must not be combined with --list.')
    const names = await listSnapshots(devFolder)
    return output.result({ snapshots: names }, () => (names.length === 0 ? ['There are no snapshots.'] : names))
  }
  const [name = 'latest'] = values
  if (readDevFile() === undefined) await saveFiles(devFolder, name)
  else await ask({ action: 'snapshot', value: name })
  output.result({ snapshot: name }, () => [`Saved. To return to this snapshot: lockerflow restore ${name}`])
}

/** Goes back to a snapshot. */
export async function restore({ values, output }: VerbCall): Promise<void> {
  const [name = 'latest'] = values
  if (readDevFile() === undefined) await restoreFiles(devFolder, name)
  else await ask({ action: 'restore', value: name })
  output.result({ restored: name }, () => [`The service, the flows and the clock are those of the snapshot ${name}.`])
}

/** Moves the clock of a running stack, or prints its time. */
export async function advance({ values: [by], output }: VerbCall): Promise<void> {
  readDuration('duration', by)
  const time: DevTime = await ask(by === undefined ? { action: 'time' } : { action: 'advance', value: by })
  output.result(time, () => [`It is ${time.now}, ${Math.round(time.ahead / 1_000)} s ahead of this machine.`])
}

/** The time of the stack in this folder; undefined without one. */
export async function timeOfStack(): Promise<DevTime | undefined> {
  return readDevFile() && ask({ action: 'time' })
}

/** Milliseconds. A stack that takes longer is suspended, for instance by Ctrl-Z, and has its databases open. */
const answerTimeout = 5_000

/** True if a stack runs in this folder. After a kill its file stays, and another process may get its number and its port. */
export async function isStackRunning(): Promise<boolean> {
  const signal = AbortSignal.timeout(answerTimeout)
  if (readDevFile() === undefined) return false
  return ask({ action: 'time' }, signal).then(
    () => true,
    () => signal.aborted,
  )
}

/** Moves the clock of the stack in this folder; undefined without one. */
export async function advanceStack(by: string): Promise<DevTime | undefined> {
  return readDevFile() && ask({ action: 'advance', value: by })
}

async function ask(request: ControlRequest, signal?: AbortSignal): Promise<DevTime> {
  const stack = readDevFile()
  if (stack === undefined) {
    throw new CommandFailure('NotReachable', 'No stack is running in this folder.', {
      exitCode: exitCodes.notReachable,
      remedy: 'Start it in this folder: lockerflow dev.',
    })
  }
  const { url, token } = stack.control
  const headers = { authorization: `Bearer ${token}` }
  const sent = { method: 'POST', headers, body: JSON.stringify(request), ...(signal && { signal }) }
  const { ok, body } = await fetch(url, sent)
    .then(async response => ({ ok: response.ok, body: (await response.json()) as Partial<DevTime & CommandFailure> }))
    .catch(error => {
      throw noAnswer(stack, error.cause?.message ?? error.message)
    })
  const { code, message, exitCode, remedy } = body
  if (ok) return body as DevTime
  if (code === undefined || message === undefined) throw noAnswer(stack, 'another program responds')
  throw new CommandFailure(code, message, { exitCode: exitCode ?? exitCodes.failed, remedy })
}

/** The failure of a stack that was killed: another process has its number, and may have its port. */
function noAnswer({ pid, control: { url } }: DevStack, reason: string): CommandFailure {
  const file = `${devFolder}/dev.json`
  return new CommandFailure('NotReachable', `The stack of ${file} does not respond at ${url}: ${reason}.`, {
    exitCode: exitCodes.notReachable,
    remedy: `If process ${pid} is not lockerflow dev, delete ${file}.`,
  })
}
