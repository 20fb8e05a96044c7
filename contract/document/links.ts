import type { z } from 'zod'
import type { Operation } from '../operation.ts'
import type { Json } from './json.ts'

/** An identifier in an answer. */
interface Identifier {
  /** Singular, as `shipmentUid`. */
  readonly name: string
  /** JSON pointer into the body. */
  readonly pointer: string
  /** Made by this call, or found by it, and not only told back. */
  readonly isNew: boolean
}

/** What an identifier is called by operations that do not use its own name. */
const aliases: Readonly<Record<string, string>> = { pickUpPointUid: 'pupUid' }

/** From an operation that makes identifiers to each field of an operation that takes one. */
export function linksFrom(source: Operation, served: readonly Operation[]): Json {
  const told = identifiersOf(source, served)
  return Object.fromEntries(
    served.flatMap(target =>
      Object.keys(target.request.shape).flatMap(field => {
        const identifier = told.find(({ name, isNew }) => isNew && takes(field, name))
        return identifier ? [[`${target.name}.${field}`, link(target, field, identifier, told)]] : []
      }),
    ),
  )
}

function link(target: Operation, field: string, identifier: Identifier, told: readonly Identifier[]): Json {
  // What the target calls by the very same name goes along: the shipment of an object, for instance.
  const along = told.filter(({ name, isNew }) => !isNew && name in target.request.shape)
  const taken = [[field, identifier] as const, ...along.map(other => [other.name, other] as const)]
  return {
    operationId: target.name,
    requestBody: Object.fromEntries(taken.map(([into, { pointer }]) => [into, `$response.body#${pointer}`])),
  }
}

/** `ToUserUid` takes a `userUid`, and `PriorShipmentUid` a `shipmentUid`: the end of the name says what it is. */
function takes(field: string, identifier: string): boolean {
  return (aliases[field] ?? field).toLowerCase().endsWith(identifier.toLowerCase())
}

function identifiersOf(source: Operation, served: readonly Operation[]): Identifier[] {
  if (source.effect === 'create') return answeredBy(source)
  const listed = listedBy(source)
  const isMadeElsewhere = served.some(
    other => other.effect === 'create' && answeredBy(other).some(({ name, isNew }) => isNew && name === listed?.name),
  )
  return listed === undefined || isMadeElsewhere ? [] : [listed]
}

function answeredBy({ request, response }: Operation): Identifier[] {
  const asked = Object.keys(request.shape)
  return Object.keys(response.shape)
    .filter(field => /Uids?$/.test(field))
    .map(field => {
      const name = field.replace(/s$/, '')
      const isNew = !asked.some(other => other.toLowerCase() === name.toLowerCase())
      return { name, pointer: field === name ? `/${field}` : `/${field}/0`, isNew }
    })
}

/** The identifier of what a listing lists: the first field of its items. */
function listedBy({ response }: Operation): Identifier | undefined {
  const items = response.shape.items as z.ZodArray<z.ZodObject> | undefined
  const [name] = Object.keys(items?.element.shape ?? {})
  return name?.endsWith('Uid') ? { name, pointer: `/items/0/${name}`, isNew: true } : undefined
}
