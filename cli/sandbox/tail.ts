import { type RecentRequest, sandboxPaths } from '#contract'
import { misuse } from '../command/failure.ts'
import type { Output } from '../command/output.ts'
import type { VerbCall } from '../command/verb.ts'
import { plain } from '../flow/text.ts'
import { noteOutages, readTarget } from './target.ts'
import { createTrafficClient } from './trafficClient.ts'

type Matches = (request: RecentRequest) => boolean

/** Prints each request of the tenant as the service answers it, until Ctrl-C; without `--follow` only those in memory. */
export async function run(call: VerbCall): Promise<void> {
  const { options, output, environment } = call
  const client = createTrafficClient(readTarget(environment))
  const matches = readFilter(options)
  const isOfCase = createCaseFilter(typeof options.case === 'string' ? options.case : undefined, client.shipmentsOf)
  async function print(request: RecentRequest): Promise<void> {
    if (request.requestId !== client.ownRequestId && matches(request) && (await isOfCase(request)))
      output.item(request, () => describe(request, output))
  }
  if (options.follow === false) {
    for (const request of await client.list<RecentRequest>(sandboxPaths.requests)) await print(request)
    return
  }
  const { signal } = call
  const onBroken = noteOutages(output)
  for await (const request of client.follow<RecentRequest>(sandboxPaths.requests, { signal, onBroken })) {
    await print(request)
  }
}

/** `--status 409`, `4xx`, `refused` or `ok`, and `--operation`, the beginning of a name in any casing. */
export function readFilter({ status, operation }: Readonly<Record<string, unknown>>): Matches {
  const byStatus = typeof status === 'string' ? toStatusFilter(status) : () => true
  const start = typeof operation === 'string' ? operation.toLowerCase() : ''
  return request => byStatus(request) && request.operation.toLowerCase().startsWith(start)
}

function toStatusFilter(status: string): Matches {
  if (status === 'refused') return ({ errorCode }) => errorCode !== null
  if (status === 'ok') return ({ errorCode }) => errorCode === null
  if (/^[1-5](\d\d|xx)$/.test(status)) return request => String(request.status).startsWith(status.replace('xx', ''))
  if (/^[A-Z]\w+$/.test(status)) return ({ errorCode }) => errorCode === status
  throw misuse(`--status: must be a status such as 409 or 4xx, ok, refused, or an error code, got "${status}".`)
}

/** A request names its case, or a shipment of the case. Each unknown shipment costs one list. */
function createCaseFilter(caseNo: string | undefined, list: (caseNo: string) => Promise<readonly string[]>) {
  const known = new Map<string, boolean>()
  return async (request: RecentRequest): Promise<boolean> => {
    if (caseNo === undefined) return true
    const { shipmentUid } = request
    if (request.caseNo !== null) return request.caseNo === caseNo
    if (shipmentUid === null) return false
    if (!known.has(shipmentUid)) known.set(shipmentUid, (await list(caseNo)).includes(shipmentUid))
    return known.get(shipmentUid) === true
  }
}

function describe(request: RecentRequest, { style }: Output): string {
  const { at, status, errorCode, operation, caseNo, shipmentUid, durationMs, requestId } = request
  const outcome = style(
    errorCode === null ? 'green' : status < 500 ? 'yellow' : 'red',
    `${status} ${errorCode ?? 'ok'}`,
  )
  const subject = plain([caseNo, shipmentUid].filter(value => value !== null).join(' ') || '-')
  return `${at}  ${outcome}  ${operation}  ${subject}  ${durationMs} ms  ${requestId}`
}
