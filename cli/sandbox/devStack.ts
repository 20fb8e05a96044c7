import type { Duration } from '#flows'
import { type MovableClock, type Stack, type StackOptions, startStack } from '#testing/stack'
import type { Progress } from '#testing/temporal'
import type { WorkerSettings } from '#worker'
import { readAhead, writeAhead } from './devFile.ts'
import { startDevPlayer } from './devPlayer.ts'
import { requireName, requireSnapshot, restoreFiles, saveFiles } from './snapshots.ts'

/** The time of a stack, in ISO 8601. */
export interface DevTime {
  readonly now: string
  /** Milliseconds ahead of the machine. */
  readonly ahead: number
}

/** A stack that can pause for a snapshot, and whose clock moves. One change at a time. */
export interface MovableStack {
  readonly stack: Stack
  time(): DevTime
  /** Moves the clock of the service and of all flows forward. */
  advance(by: Duration | number): Promise<DevTime>
  /** Stops the stack, saves its files and starts it again. */
  snapshot(name: string): Promise<void>
  /** Stops the stack, brings back the files of a snapshot and starts it again. */
  restore(name: string): Promise<void>
  stop(): Promise<void>
}

export interface DevStackOptions extends Omit<StackOptions, 'parts'> {
  readonly folder: string
  readonly progress: Progress
  /** Custom flows of the worker, with their activities. */
  readonly own?: Partial<WorkerSettings>
}

/** Entries of each tenant that the service of a developer keeps. */
const recentTraffic = 200
/** Flows of one page. */
const pageSize = 1_000

/** Makes changes one after another. A failure leaves the next one possible. */
type Sequence = <Result>(change: () => Promise<Result>) => Promise<Result>

/** Starts a stack at the time that the folder has. @throws Error if a part does not start */
export async function startMovableStack({ own, ...options }: DevStackOptions): Promise<MovableStack> {
  const { folder } = options
  const running: { stack?: Stack; player?: ReturnType<typeof startDevPlayer> } = {}
  const inOrder = createSequence()

  async function start(): Promise<MovableClock> {
    const parts = { service: { recentTraffic }, worker: async () => own ?? {} }
    const stack = await startStack({ ...options, ahead: await readAhead(folder), parts })
    running.stack = stack
    running.player = startDevPlayer(stack, options.progress)
    return stack.clock
  }

  async function stop(): Promise<void> {
    const { stack, player } = running
    delete running.stack
    await player?.stop()
    await stack?.stop()
  }

  /** Changes nothing after a failed stop: a part that still runs may write to the files. */
  async function whileStopped(change: () => Promise<void>): Promise<void> {
    await stop()
      .then(change)
      .finally(async () => {
        clock = await start()
      })
  }

  async function advance(by: Duration | number): Promise<DevTime> {
    await noteRunningCases(requireRunning(running), clock)
    await clock.advance(by)
    await writeAhead(folder, clock.ahead)
    return toTime(clock)
  }

  // A wrong name stops nothing: a stop takes seconds, and a start can fail.
  async function snapshot(name: string): Promise<void> {
    requireName(name)
    await whileStopped(() => saveFiles(folder, name))
  }

  async function restore(name: string): Promise<void> {
    await requireSnapshot(folder, name)
    await whileStopped(() => restoreFiles(folder, name))
  }

  // That of the last start answers for the time of a stack that starts again.
  let clock = await start()
  return {
    get stack() {
      return requireRunning(running)
    },
    time: () => toTime(clock),
    advance: by => inOrder(() => advance(by)),
    snapshot: name => inOrder(() => snapshot(name)),
    restore: name => inOrder(() => restore(name)),
    stop: () => inOrder(stop),
  }
}

/** Flows that were started before this process, or by another program. */
async function noteRunningCases({ flows }: Stack, clock: MovableClock): Promise<void> {
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const page = await flows.list({ where: "state != 'ended'", pageSize, ...(cursor !== undefined && { cursor }) })
    if (page.kind !== 'Listed') throw new Error(page.message)
    for (const { caseNo } of page.cases) clock.aheadOf(caseNo)
    cursor = page.cursor
  }
}

function requireRunning({ stack }: { readonly stack?: Stack }): Stack {
  if (stack === undefined) throw new Error('The stack is not running now.')
  return stack
}

function toTime({ now, ahead }: MovableClock): DevTime {
  return { now: new Date(now()).toISOString(), ahead }
}

function createSequence(): Sequence {
  let last: Promise<unknown> = Promise.resolve()
  return change => {
    const next = last.then(change, change)
    last = next.catch(() => undefined)
    return next
  }
}
