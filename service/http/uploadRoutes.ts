import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { operations, type UploadName } from '#contract'
import { exemptFromArrivalLimit } from '#platform/http'
import { createSemaphore, type Shares } from '#platform/limits'
import { type Caller, missingToken } from '../auth/index.ts'
import { OperationError } from '../operationError.ts'
import type { RetentionTimes } from '../retention/index.ts'
import type { Store } from '../store/index.ts'
import { readTime } from '../store/locks.ts'
import {
  abandonUpload,
  type StagedUpload,
  stageUpload,
  sweepUploads,
  type UploadedFile,
  type UploadLimits,
} from '../suggestions/index.ts'
import type { Authenticate } from './admission.ts'
import type { BodyRate } from './bodyRate.ts'
import { checkUploadHeaders, type Parts, withParts } from './multipart.ts'
import { parseRequest } from './parseRequest.ts'
import { sendResult } from './result.ts'
import type { RunOperation } from './runOperation.ts'

export interface UploadRouteParts extends Pick<Shares, 'pace'> {
  readonly names: readonly UploadName[]
  readonly authenticate: Authenticate
  readonly runOperation: RunOperation
  readonly store: Store
  readonly uploadLimits: UploadLimits
  readonly retention: RetentionTimes
  /** Undefined without a limit. */
  readonly bodyRate: BodyRate | undefined
  readonly clock: () => number
  readonly log: Logger
}

/**
 * One POST route per operation with a file: access token, rate limit, media type, turn of the tenant, parts, file,
 * operation, response.
 */
export function uploadRoutes(app: FastifyInstance, routeParts: UploadRouteParts): void {
  const {
    names,
    authenticate,
    runOperation,
    store,
    uploadLimits: limits,
    retention,
    bodyRate,
    pace,
    clock,
    log,
  } = routeParts
  // One upload of a tenant at a time, from its body to the deletion of the rows that it replaces.
  const toError = () => new OperationError('Unavailable', 'Too many uploads are in progress; try again later.')
  const turnOf = createSemaphore({ perKey: 1, queue: { maxWaiting: limits.queueLength, toError } })
  // At most one upload of each tenant waits here.
  const readingSlot = createSemaphore({ total: limits.concurrency })
  app.removeAllContentTypeParsers()
  app.register(multipart)

  async function runUpload(name: UploadName, caller: Caller, { data, file }: Parts, signal: AbortSignal) {
    if (isAbsent(data))
      throw new OperationError('NoRequestData', 'The request has no part named data, or an empty one.')
    const body = parseRequest(name, data, 'data')
    if (file === undefined) throw new OperationError('NoRequestFile', 'The request has no part named file.')
    if (file.size === 0) throw new OperationError('MissingFile', 'The file is empty.')
    const free = await readingSlot(caller.tenantId, signal)
    const upload = await stage(caller, file, signal).finally(free)
    try {
      return await runOperation(name, caller, body, { upload })
    } finally {
      await abandonUpload(store, upload.uploadId)
    }
  }

  async function stage(caller: Caller, file: UploadedFile, signal: AbortSignal): Promise<StagedUpload> {
    const now = await readTime(store, clock)
    const lifetime = retention.stagedUploads
    const pause = pace(caller.tenantId)
    return stageUpload({ ...caller, store, file, limits, lifetime, now, signal, pause })
  }

  /** Deletes the replaced or rejected upload now; the periodic purge retries a failed one. */
  async function sweep({ tenantId }: Caller): Promise<void> {
    try {
      await sweepUploads(store, await readTime(store, clock), { tenantId, pause: pace(tenantId) })
    } catch (error) {
      log.warn({ logId: 'uploads-not-purged', err: error }, 'expired uploads not purged')
    }
  }

  function addRoute(name: UploadName): void {
    app.post(operations[name].path, {
      onRequest: [
        authenticate(name),
        (request, _reply, done) => {
          checkUploadHeaders(request, limits.fileBytes)
          done()
        },
      ],
      async handler(request, reply) {
        const { caller } = request.context
        if (caller === undefined) throw missingToken()
        const signal = createAbortSignal(reply)
        // The body is not read before its turn, when the limit of its own begins.
        exemptFromArrivalLimit(request.raw, reply.raw)
        const free = await turnOf(caller.tenantId, signal)
        const result = await withParts(request, { ...limits, bodyRate }, parts =>
          runUpload(name, caller, parts, signal).finally(() => sweep(caller)),
        ).finally(free)
        return sendResult(result, request, reply)
      },
    })
  }

  for (const name of names) addRoute(name)
}

/** An empty part and `null` count as a missing request. */
function isAbsent(data: Buffer | undefined): boolean {
  const text = data?.toString().trim()
  return text === undefined || text === '' || text === 'null'
}

/** Aborts when the caller closes the connection before the response is sent. */
function createAbortSignal(reply: FastifyReply): AbortSignal {
  const controller = new AbortController()
  const reason = new OperationError('InvalidRequest', 'The caller aborted the upload.')
  if (reply.raw.destroyed) controller.abort(reason)
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort(reason)
  })
  return controller.signal
}
