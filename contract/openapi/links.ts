import type { z } from 'zod'
import type { Operation } from '../operation.ts'
import type { Json } from './schemas.ts'

/** An identifier in a response. */
interface Identifier {
  /** Singular, as `shipmentUid`. */
  readonly name: string
  /** JSON pointer into the body. */
  readonly pointer: string
  /** Created or found by this call, not copied from the request. */
  readonly isNew: boolean
}

/** Other names of identifiers in requests. */
const aliases: Readonly<Record<string, string>> = { pickUpPointUid: 'pupUid' }

/** Links from an operation that returns identifiers to every request field that accepts one. */
export function linksFrom(source: Operation, served: readonly Operation[]): Json {
  const identifiers = newIdentifiers(source, served)
  return Object.fromEntries(
    served.flatMap(target =>
      Object.keys(target.request.shape).flatMap(field => {
        const identifier = identifiers.find(({ name, isNew }) => isNew && accepts(field, name))
        return identifier ? [[`${target.name}.${field}`, toLink(target, field, identifier, identifiers)]] : []
      }),
    ),
  )
}

function toLink(target: Operation, field: string, identifier: Identifier, identifiers: readonly Identifier[]): Json {
  // The target may need further identifiers of the same name, such as the shipment of an object.
  const sharedIdentifiers = identifiers.filter(({ name, isNew }) => !isNew && name in target.request.shape)
  const identifiersByField = [
    [field, identifier] as const,
    ...sharedIdentifiers.map(other => [other.name, other] as const),
  ]
  return {
    operationId: target.name,
    // An extension: OpenAPI Generator rejects a requestBody that is not a text.
    'x-request-body': Object.fromEntries(
      identifiersByField.map(([into, { pointer }]) => [into, `$response.body#${pointer}`]),
    ),
  }
}

/** Matches by the end of the name: `ToUserUid` accepts a `userUid`, `PriorShipmentUid` a `shipmentUid`. */
function accepts(field: string, identifier: string): boolean {
  return (aliases[field] ?? field).toLowerCase().endsWith(identifier.toLowerCase())
}

function newIdentifiers(source: Operation, served: readonly Operation[]): Identifier[] {
  if (source.effect === 'create') return returnedIdentifiers(source)
  const listed = listedIdentifier(source)
  const isMadeElsewhere = served.some(
    other =>
      other.effect === 'create' && returnedIdentifiers(other).some(({ name, isNew }) => isNew && name === listed?.name),
  )
  return listed === undefined || isMadeElsewhere ? [] : [listed]
}

function returnedIdentifiers({ request, response }: Operation): Identifier[] {
  const requestFields = Object.keys(request.shape)
  return Object.keys(response.shape)
    .filter(field => /Uids?$/.test(field))
    .map(field => {
      const name = field.replace(/s$/, '')
      const isNew = !requestFields.some(other => other.toLowerCase() === name.toLowerCase())
      return { name, pointer: field === name ? `/${field}` : `/${field}/0`, isNew }
    })
}

/** The identifier that a listing returns: the first field of its items. */
function listedIdentifier({ response }: Operation): Identifier | undefined {
  const items = response.shape.items as z.ZodArray<z.ZodObject> | undefined
  const [name] = Object.keys(items?.element.shape ?? {})
  return name?.endsWith('Uid') ? { name, pointer: `/items/0/${name}`, isNew: true } : undefined
}
