import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { isOperationName, type Operation, type OperationName, operations, readRequest, requestSchema } from '#contract'
import { createApi, type UploadedFile } from '#contract/client'
import { readDrivenService } from '#platform/settings'
import { misuse } from '../command/failure.ts'
import type { VerbCall } from '../command/verb.ts'
import { assignFields, readFlags } from '../fields/assign.ts'
import { readDocument } from '../fields/document.ts'
import { shapeOfSchema } from '../fields/shape.ts'
import { awaitCreate } from './awaitCreate.ts'
import { curlLines } from './curl.ts'
import { printResponse } from './response.ts'

/** `lockerflow call`: one operation of the service, with any request. */
export async function run(call: VerbCall): Promise<void> {
  const { values, options, output, environment } = call
  const [name = '', ...words] = values.filter(value => value !== undefined)
  const operation = findOperation(name)
  const isChecked = options.check !== false
  const request = await readBody(operation.name, words, options, isChecked)
  if (isChecked) check(operation, request)
  const path = readUpload(operation, options.data)
  const { api: settings } = readDrivenService(environment)
  if (options.idempotencyKey === '') throw misuse('--idempotency-key: must not be empty.')
  const idempotencyKey = typeof options.idempotencyKey === 'string' ? { idempotencyKey: options.idempotencyKey } : {}
  if (options.print === true) {
    const lines = curlLines({ ...settings, path: operation.path, request, file: path, ...idempotencyKey })
    output.result({ curl: lines }, () => lines)
    return
  }
  const api = createApi(settings)
  try {
    const file = path === undefined ? {} : { file: await readUploaded(path) }
    const send = (signal: AbortSignal) => api.send(operation.name, request, { ...idempotencyKey, ...file, signal })
    const isCreate = operation.effect === 'create'
    printResponse(output, await (isCreate ? awaitCreate(call, operation.name, send) : send(call.signal)))
  } finally {
    await api.close()
  }
}

/** Finds an operation by its name in any casing. @throws CommandFailure with the names that are alike */
function findOperation(given: string): Operation & { readonly name: OperationName } {
  const names = Object.keys(operations)
  const name = names.find(each => each.toLowerCase() === given.toLowerCase())
  if (name !== undefined && isOperationName(name)) return operations[name] as Operation & { readonly name: typeof name }
  const alike = names.filter(each => given.length > 2 && each.toLowerCase().includes(given.toLowerCase()))
  throw misuse(`operation: must be one of ${(alike.length > 0 ? alike : names).join(', ')}, got "${given}".`)
}

async function readBody(
  name: OperationName,
  words: readonly string[],
  { body }: VerbCall['options'],
  isChecked: boolean,
): Promise<Record<string, unknown>> {
  const document = typeof body === 'string' ? await readDocument('--body', body) : {}
  return assignFields(document, shapeOfSchema(requestSchema(name)), readFlags(words), isChecked)
}

/** @throws CommandFailure that names every invalid field */
function check(operation: Operation, request: unknown): void {
  const read = readRequest(operation, request)
  if (!read.ok) throw misuse(`${read.message} Use --no-check to send the request as it is.`)
}

/** The path of the file of an upload. @throws CommandFailure if it is missing, or not expected */
function readUpload({ name, upload }: Operation, data: unknown): string | undefined {
  if (upload && typeof data !== 'string') throw misuse(`--data: must be the file that ${name} uploads.`)
  if (!upload && data !== undefined)
    throw misuse(`--data: must be omitted, since ${name} does not upload a file. Use --body.`)
  return typeof data === 'string' ? data : undefined
}

async function readUploaded(path: string): Promise<UploadedFile> {
  const bytes = await readFile(path).catch((error: Error) => {
    throw misuse(`--data: must be a file that can be read: ${error.message}.`)
  })
  return { name: basename(path), bytes: new Uint8Array(bytes) }
}
