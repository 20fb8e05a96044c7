import { parseDuration } from '#flows'
import { misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'

/** The callbacks that the options of a verb select. */
export interface Selection {
  readonly tenantId: string | undefined
  readonly shipmentUid: string | undefined
  readonly caseNo: string | undefined
  readonly messageId: string | undefined
  /** Milliseconds since 1970. */
  readonly since: number | undefined
  readonly dead: boolean
}

/** @throws CommandFailure for a time that cannot be read */
export function readSelection({ options }: Pick<VerbCall, 'options'>, messageId?: string): Selection {
  return {
    tenantId: text(options.tenant),
    shipmentUid: text(options.shipment),
    caseNo: text(options.case),
    messageId: messageId ?? text(options.message),
    since: readSince(text(options.since)),
    dead: options.dead === true,
  }
}

/**
 * True if a verb reads the store of a service, as its operators do. Otherwise it asks the service as a client of a tenant,
 * which staging allows.
 */
export function isForStore({ options, environment }: Pick<VerbCall, 'options' | 'environment'>): boolean {
  if (options.store === true || options.dead === true || options.tenant !== undefined) return true
  return Boolean(environment.LOCKERFLOW_DATABASE_URL)
}

/** @returns milliseconds since 1970 */
export function readSince(given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const length = parseDuration(given)
  const moment = length === undefined ? Date.parse(given) : Date.now() - length
  if (Number.isNaN(moment)) {
    throw misuse(`--since must be a duration such as 2h, or a time such as 2026-11-22T08:00:00Z, and is ${given}.`)
  }
  return moment
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
