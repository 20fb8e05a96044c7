import { isGiven } from '#platform/settings'
import { readMoment } from '../command/values.ts'
import type { VerbCall } from '../command/verb.ts'

/** The callbacks that the options of a verb select. */
export interface Selection {
  readonly tenantId: string | undefined
  readonly shipmentUid: string | undefined
  readonly caseNo: string | undefined
  readonly messageId: string | undefined
  /** Milliseconds since 1970. */
  readonly since: number | undefined
  readonly dead: true | undefined
  readonly failed: true | undefined
}

/** @throws CommandFailure for a time that cannot be read */
export function readSelection({ options }: Pick<VerbCall, 'options'>, messageId?: string): Selection {
  return {
    tenantId: text(options.tenant),
    shipmentUid: text(options.shipment),
    caseNo: text(options.case),
    messageId: messageId ?? text(options.message),
    since: readMoment('--since', text(options.since), Date.now()),
    dead: options.dead === true || undefined,
    failed: options.failed === true || undefined,
  }
}

/** True if no option narrows a selection. */
export function isEmpty(selection: Selection): boolean {
  return Object.values(selection).every(value => value === undefined)
}

/**
 * True if a verb reads the store of a service, as its operators do. Otherwise it asks the service as a client of a tenant,
 * which staging allows.
 */
export function isForStore({ options, environment }: Pick<VerbCall, 'options' | 'environment'>): boolean {
  if (options.store === true || options.dead === true || options.tenant !== undefined) return true
  return isGiven(environment, 'LOCKERFLOW_DATABASE_URL')
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
