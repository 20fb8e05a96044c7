import type { OperationName, RequestOf, ResponseOf, UploadName } from '#contract'
import type { HttpResponse } from './post.ts'
import type { UploadedFile, UploadOptions } from './upload.ts'

/** Options of one call. */
export interface CallOptions {
  /** Repeating the same request with the same key returns the first response, if the service supports it. */
  readonly idempotencyKey?: string
  /**
   * False never retries a create with a key: for a service that may ignore keys, and for callers that retry it themselves and
   * need to know of the first attempt.
   */
  readonly repeatCreate?: boolean
  /** Keeps `pickUpCode` and `deliveryCode` in the response; by default they are null. */
  readonly withCodes?: boolean
  /** Aborts the call. Ignored by creates, which are never aborted. */
  readonly signal?: AbortSignal
}

export interface SendOptions extends Pick<CallOptions, 'idempotencyKey' | 'signal'> {
  /** The file of an upload. */
  readonly file?: UploadedFile
}

/** The operations without a file. */
export type JsonOperationName = Exclude<OperationName, UploadName>

/** The operations of the service, typed by their names. `createApi` creates it. */
export interface Api {
  /**
   * Calls an operation. Retries reads after faults, but never changes and creates. Only a create with a key is sent once more, if
   * the connection closed before its response began.
   *
   * ```ts
   * const { items } = await api.call('GetShipments', { activeShipments: true })
   * ```
   * @throws ApiRefusal when the service refused: HTTP 200 with `success: false`
   * @throws ApiFault without a usable response
   */
  call<Name extends JsonOperationName>(
    name: Name,
    request: RequestOf<Name>,
    options?: CallOptions,
  ): Promise<ResponseOf<Name>>
  /**
   * Uploads a file of at most 10 MiB; a larger one is not sent. Never retries.
   * @throws ApiRefusal and ApiFault, as `call` does
   */
  upload<Name extends UploadName>(
    name: Name,
    request: RequestOf<Name>,
    file: UploadedFile,
    options?: UploadOptions,
  ): Promise<ResponseOf<Name>>
  /**
   * Sends any request to an operation, and returns the response as it is, access codes included. For tools. Never retries.
   * @throws ApiFault without a response
   */
  send(name: OperationName, request: unknown, options?: SendOptions): Promise<HttpResponse>
  /** Waits for the calls in flight. Later calls fail. */
  close(): Promise<void>
}
