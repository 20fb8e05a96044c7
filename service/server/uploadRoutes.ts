import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Logger } from 'pino'
import { operations, type UploadName } from '#contract'
import { Refusal } from '../operations/call.ts'
import type { Store } from '../store/index.ts'
import { createTurns, giveUp, stageUpload, sweepUploads, type UploadLimits } from '../suggestions/index.ts'
import { type Admission, callerOf } from './admission.ts'
import { readOperationRequest } from './body.ts'
import type { Outcome } from './outcome.ts'
import { checkUploadHeaders, readParts } from './parts.ts'
import type { Perform } from './perform.ts'
import { sendOutcome } from './sendOutcome.ts'

export interface UploadRouteParts {
  readonly names: readonly UploadName[]
  readonly admission: Admission
  readonly perform: Perform
  readonly store: Store
  readonly uploadLimits: UploadLimits
  readonly clock: () => number
  readonly log: Logger
}

/** One POST route for each operation that takes a file: token, rate, type, parts, content, then the operation. */
export function uploadRoutes(app: FastifyInstance, parts: UploadRouteParts): void {
  const { names, admission, perform, store, uploadLimits: limits, clock, log } = parts
  const turns = createTurns(limits)
  app.removeAllContentTypeParsers()
  app.register(multipart)

  function route(name: UploadName): void {
    const admit = admission(name)
    app.post(operations[name].path, {
      async onRequest(request) {
        await admit(request)
        checkUploadHeaders(request, limits.fileBytes)
      },
      async handler(request, reply) {
        const caller = callerOf(request)
        const { data, file } = await readParts(request, limits.fileBytes)
        if (data === undefined) throw new Refusal('NoRequestData', 'The request has no part named data.')
        const read = readOperationRequest(name, data, 'data')
        if (file === undefined) throw new Refusal('NoRequestFile', 'The request has no part named file.')
        if (file.bytes.length === 0) throw new Refusal('MissingFile', 'The file is empty.')
        const signal = signalOf(reply)
        const outcome = await turns(async (): Promise<Outcome> => {
          signal.throwIfAborted()
          const upload = await stageUpload({ ...caller, store, file, limits, now: clock(), signal })
          try {
            return await perform(name, caller, read, undefined, upload)
          } finally {
            await giveUp(store, upload.uploadId)
          }
        }).finally(() =>
          // What was replaced or refused goes at once; what cannot go now is swept later.
          sweepUploads(store, clock()).catch(error => log.warn({ err: error }, 'uploads were not swept')),
        )
        return sendOutcome(outcome, request, reply)
      },
    })
  }

  for (const name of names) route(name)
}

/** Aborts when the caller hangs up before there is an answer. */
function signalOf(reply: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const reason = new Refusal('InvalidRequest', 'The upload was given up.')
  if (reply.raw.destroyed) gone.abort(reason)
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort(reason)
  })
  return gone.signal
}
