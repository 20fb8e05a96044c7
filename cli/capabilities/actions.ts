import { randomUUID } from 'node:crypto'
import { ApiRefusal, createApi } from '#contract/client'
import { profileWords, type ServiceProfile } from '#contract/terms'
import { readDrivenService } from '#platform/settings'
import { CommandFailure, exitCodes, ReportedFailure } from '../command/failure.ts'
import type { Output } from '../command/output.ts'
import { textOf } from '../command/values.ts'
import type { VerbAction } from '../command/verb.ts'
import {
  examineReads,
  examineReadsByCase,
  examineRepetition,
  examineSimultaneity,
  type Finding,
} from './examination.ts'
import { createTrial, type LeftShipment, type Trial } from './trial.ts'

type Word = keyof typeof profileWords

interface Report {
  readonly capabilities: readonly ({ readonly capability: Word } & Finding)[]
  /** The value of LOCKERFLOW_SERVICE_PROFILE, with `standard-webhooks` as it is set. */
  readonly profile: string
  readonly left: readonly LeftShipment[]
}

/** Books lockers of a service, cancels them, and derives from its responses which capabilities it has. */
export const capabilities: VerbAction = {
  async run(call) {
    const { api: settings, profile } = readDrivenService(call.environment)
    const api = createApi({ ...settings, readRetries: 5 })
    const trial = createTrial(api, textOf(call, 'pickUpPoint') ?? '')
    const left: LeftShipment[] = []
    let found: Report['capabilities']
    try {
      found = await examine(trial, left, call.signal).finally(async () => left.push(...(await trial.cancel())))
    } finally {
      await api.close()
      for (const { shipmentUid, reason } of left) {
        call.output.note(`left over: ${shipmentUid ?? `case ${trial.caseNo}`}: ${reason}`)
      }
    }
    const report = { capabilities: found, profile: toProfile(found, profile), left }
    call.output.result(report, () => linesOf(report, call.output))
    requireSound(report, profile)
  },
}

/** A signal ends it between two steps, so that its bookings are cancelled. */
async function examine(trial: Trial, left: LeftShipment[], signal: AbortSignal): Promise<Report['capabilities']> {
  const key = randomUUID()
  const first = await trial.book(key)
  if ('error' in first) {
    const { error } = first
    if (!(error instanceof ApiRefusal)) throw error
    const message = `--pick-up-point: must be a pick up point with a free locker, but the service refuses the booking: ${error.code}.`
    throw new CommandFailure(error.code, message, { exitCode: exitCodes.failed, requestId: error.requestId })
  }
  const { shipmentUid } = first
  const reads = await examineReads(trial, shipmentUid)
  requireGoOn(signal)
  const readsByCase = reads.has ? await examineReadsByCase(trial, shipmentUid) : reads
  const repetition = await examineRepetition(trial, shipmentUid, key)
  // Its lockers are free for the next two.
  left.push(...(await trial.cancel()))
  requireGoOn(signal)
  const idempotent = repetition.has ? await examineSimultaneity(trial, shipmentUid, randomUUID()) : repetition
  return [
    { capability: 'reads', ...reads },
    { capability: 'reads-by-case', ...readsByCase },
    { capability: 'idempotent', ...idempotent },
  ]
}

/** @throws CommandFailure after a signal */
function requireGoOn(signal: AbortSignal): void {
  if (!signal.aborted) return
  throw new CommandFailure('Interrupted', 'the examination did not finish.', {
    exitCode: exitCodes.failed,
    remedy: 'Run it again. Its bookings are cancelled, except those named above.',
  })
}

function toProfile(found: Report['capabilities'], { standardWebhooks }: ServiceProfile): string {
  const words: Word[] = found.filter(({ has }) => has).map(({ capability }) => capability)
  return [...words, ...(standardWebhooks ? ['standard-webhooks'] : [])].join(',') || 'none'
}

function linesOf({ capabilities, profile }: Report, { style }: Output): string[] {
  return [
    ...capabilities.map(({ capability, has, found }) => {
      const mark = has ? style('green', 'has  ') : style('yellow', 'lacks')
      return `${mark}  ${capability.padEnd(17)}  ${found}`
    }),
    `${style('dim', 'as set')} ${'standard-webhooks'.padEnd(17)}  not examined: the headers of a callback show it`,
    `LOCKERFLOW_SERVICE_PROFILE=${profile}`,
  ]
}

/** @throws ReportedFailure for a shipment that is left, and for a setting that names a capability which the service lacks */
function requireSound({ capabilities, left }: Report, configured: ServiceProfile): void {
  const wrong = capabilities.filter(({ capability, has }) => !has && configured[profileWords[capability]])
  if (wrong.length > 0) {
    const words = wrong.map(({ capability }) => capability).join(', ')
    throw new ReportedFailure(
      `LOCKERFLOW_SERVICE_PROFILE: must not contain ${words}, which the service lacks.`,
      'Set the value above for gateway and workers.',
    )
  }
  if (left.length > 0) throw new ReportedFailure('shipments are left over.', 'Cancel them at the service.')
}
