import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { operations, type UploadName } from '#contract'
import { OperationError } from '../operationError.ts'
import type { Store } from '../store/index.ts'
import { abandonUpload, createSemaphore, stageUpload, sweepUploads, type UploadLimits } from '../suggestions/index.ts'
import { type Authenticate, requireCaller } from './authenticate.ts'
import { checkUploadHeaders, readParts } from './multipart.ts'
import { parseRequest } from './parseRequest.ts'
import { sendResult } from './result.ts'
import type { RunOperation } from './runOperation.ts'

export interface UploadRouteParts {
  readonly names: readonly UploadName[]
  readonly authenticate: Authenticate
  readonly runOperation: RunOperation
  readonly store: Store
  readonly uploadLimits: UploadLimits
  readonly clock: () => number
  readonly log: Logger
}

/** One POST route per operation with a file: access token, rate limit, media type, parts, file, operation, response. */
export function uploadRoutes(app: FastifyInstance, parts: UploadRouteParts): void {
  const { names, authenticate, runOperation, store, uploadLimits: limits, clock, log } = parts
  const semaphore = createSemaphore(limits)
  app.removeAllContentTypeParsers()
  app.register(multipart)

  function addRoute(name: UploadName): void {
    const authenticateRequest = authenticate(name)
    app.post(operations[name].path, {
      async onRequest(request) {
        await authenticateRequest(request)
        checkUploadHeaders(request, limits.fileBytes)
      },
      async handler(request, reply) {
        const caller = requireCaller(request)
        const { data, file } = await readParts(request, limits.fileBytes)
        if (data === undefined) throw new OperationError('NoRequestData', 'The request has no part named data.')
        const body = parseRequest(name, data, 'data')
        if (file === undefined) throw new OperationError('NoRequestFile', 'The request has no part named file.')
        if (file.bytes.length === 0) throw new OperationError('MissingFile', 'The file is empty.')
        const signal = createAbortSignal(reply)
        const result = await semaphore(async () => {
          signal.throwIfAborted()
          const upload = await stageUpload({ ...caller, store, file, limits, now: clock(), signal })
          try {
            return await runOperation(name, caller, body, { upload })
          } finally {
            await abandonUpload(store, upload.uploadId)
          }
        }).finally(() =>
          // Purges the replaced or rejected upload now; a failed purge is repeated by the periodic one.
          sweepUploads(store, clock()).catch(error => log.warn({ err: error }, 'expired uploads not purged')),
        )
        return sendResult(result, request, reply)
      },
    })
  }

  for (const name of names) addRoute(name)
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
