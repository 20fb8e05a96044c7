import { createLockerRegistry } from '../../../service/outOfService/index.ts'
import type { ServiceResponse, TestService } from '../../support/service/testService.ts'
import { type Cells, csv, upload } from '../../support/service/uploads.ts'
import type { ServiceEvent } from '../asks/step.ts'
import type { Fields } from '../rules/body.ts'
import type { Request } from '../rules/predict.ts'
import { columns, type File, type Upload } from '../rules/suggestions.ts'
import type { Names } from './names.ts'
import type { ModelSite } from './site.ts'

/** Sends a request of the model to the service. */
export async function send(service: TestService, request: Request, names: Names): Promise<ServiceResponse> {
  const { operation, client, idempotencyKey, manner } = request
  const fields = names.real(request.fields)
  if (operation === 'UploadAccountSuggestions') return sendFile(service, fields as unknown as Upload, client)
  const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }
  const token = manner === 'without a token' ? { token: null } : {}
  return service.call(operation, writtenAs(fields, manner), { client, headers, ...token })
}

/** Lets the operator's event happen in the service, as the command does. */
export function changeService(
  { services: [service], now }: Pick<ModelSite, 'services' | 'now'>,
  { reason, ...target }: ServiceEvent,
): Promise<{ changed: boolean }> {
  const lockers = createLockerRegistry(service.store, now)
  return reason === null ? lockers.returnToService(target) : lockers.takeOutOfService(target, reason)
}

function writtenAs(fields: Fields, manner: Request['manner']): Fields {
  const write = (key: string) => (manner === 'lower case' ? key.toLowerCase() : key.toUpperCase())
  if (manner === 'a key twice') {
    const [key = '', value] = Object.entries(fields)[0] ?? []
    return { ...fields, [key.toUpperCase() === key ? key.toLowerCase() : key.toUpperCase()]: value }
  }
  return manner === 'lower case' || manner === 'upper case' ? (withKeys(fields, write) as Fields) : fields
}

function withKeys(value: unknown, write: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map(member => withKeys(member, write))
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [write(key), withKeys(member, write)]))
}

function sendFile(service: TestService, { reference, file }: Upload, client: string): Promise<ServiceResponse> {
  const data = file.fault === 'NoRequestData' ? undefined : JSON.stringify({ reference })
  return upload(service, file.name, contentOf(file), { client, data })
}

function contentOf({ rows, fault }: File): string | Uint8Array | undefined {
  if (fault === 'NoRequestFile') return undefined
  if (fault === 'MissingFile') return ''
  if (fault === 'InvalidImportType') return new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d, 0, 0, 1, 2, 3])
  if (fault === 'InvalidHeader') return 'EmailAddress;FirstName\r\nuser1@home.example;Ada'
  return csv(
    rows.map(row =>
      Object.fromEntries(
        columns.map(column => [
          column,
          row[`${column.charAt(0).toLowerCase()}${column.slice(1)}` as keyof typeof row] ?? '',
        ]),
      ),
    ) as Cells[],
  )
}
