import { z } from 'zod'
import type { Operation } from '#contract'

/** Valid values of the fields of all operations. They name no existing entity. */
export const sane = {
  PupUid: 'none',
  AllowLargerLockers: true,
  AllowOverflowLockers: true,
  KeepBookedAfterPickUp: false,
  Dimension: { width: 1, height: 1, length: 1 },
  ToUserUid: 'none',
  FromUserUid: 'none',
  PriorShipmentUid: 'none',
  shipmentUid: 'none',
  shipmentObjectUid: 'none',
  details: {},
  toUserUid: 'none',
  ReferenceNo: 'none',
  ReferenceCaseNo: 'none',
  Description: null,
  pupUid: 'none',
  lockerName: 'none',
  pinCode: '1',
  url: null,
  authType: 'ApiKey',
  userUid: 'none',
  pickUpPointUid: 'none',
  emailAddress: 'a@home.example',
  firstName: 'A',
  lastName: 'B',
}

/** The fields of one operation. Others could differ from its own in casing only, which is an error. */
export function bodyOf({ request }: Operation, fields: object = sane): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([field]) => field in request.shape))
}

/** The paths of all fields of an operation's request, nested ones included. */
export function placesIn({ request }: Pick<Operation, 'request'>): readonly (readonly string[])[] {
  return below(z.toJSONSchema(request, { io: 'input' }))
}

function below(schema: unknown): string[][] {
  const { properties = {}, anyOf = [] } = Object(schema) as { properties?: object; anyOf?: readonly unknown[] }
  const own = Object.entries(properties).flatMap(([field, inside]) => [
    [field],
    ...below(inside).map(place => [field, ...place]),
  ])
  return [...own, ...anyOf.flatMap(below)]
}

/** The body with a value in that place. */
export function put(
  body: Readonly<Record<string, unknown>>,
  [field = '', ...rest]: readonly string[],
  value: unknown,
): Record<string, unknown> {
  return { ...body, [field]: rest.length === 0 ? value : put({ ...Object(body[field]) }, rest, value) }
}
