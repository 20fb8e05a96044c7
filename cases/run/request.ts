import { examples } from '#contract'
import { parseDuration } from '#contract/terms'
import type { Json } from '#flows/declaration'

/** The values that placeholders of one run stand for. */
export interface RequestValues {
  /** The start of the case, in milliseconds since 1970. */
  readonly start: number
  /** The factor for times after the start; 1 by default. */
  readonly scale?: number
  /** The uid of the user with this number. */
  user(number: number): string
  /** The uid of the pick up point with this number. */
  pickUpPoint(number: number): string
  /** The uid of a shipment of `before`. */
  item(name: string): string
}

/** Fields of examples that name the case, which is another one in each run. */
const ofCase = ['ReferenceCaseNo']

/** The fields of an example that name a user or a pick up point. */
const users = ['ToUserUid', 'FromUserUid', 'userUid']
const pickUpPoints = ['PupUid', 'pickUpPointUid']

/** The request of a case with a value for each placeholder. */
export function toRequest(request: Readonly<Record<string, Json>>, values: RequestValues): Record<string, Json> {
  return resolve(request, values) as Record<string, Json>
}

function resolve(value: Json, values: RequestValues): Json {
  if (Array.isArray(value)) return value.map((member: Json) => resolve(member, values))
  if (typeof value !== 'object' || value === null) return value
  const { $user, $pup, $in, $item, $example, ...fields } = value as Readonly<Record<string, Json>>
  if ($user !== undefined) return values.user(Number($user))
  if ($pup !== undefined) return values.pickUpPoint(Number($pup))
  if ($in !== undefined)
    return new Date(values.start + (parseDuration(String($in)) ?? 0) * (values.scale ?? 1)).toISOString()
  if ($item !== undefined) return values.item(String($item))
  const given = Object.fromEntries(Object.entries(fields).map(([key, member]) => [key, resolve(member, values)]))
  return $example === undefined ? given : { ...toExample(String($example), values), ...given }
}

/** The example request of an operation, for the first user and the pick up points of this run. */
function toExample(operation: string, values: RequestValues): Record<string, Json> {
  const { request } = (examples as Readonly<Record<string, { readonly request: unknown }>>)[operation] ?? {
    request: {},
  }
  return adapt(request as Json, values) as Record<string, Json>
}

function adapt(value: Json, values: RequestValues): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !ofCase.includes(key))
      .map(([key, member]) => {
        if (users.includes(key)) return [key, values.user(1)]
        if (pickUpPoints.includes(key)) return [key, values.pickUpPoint(member === 'pup-2' ? 2 : 1)]
        return [key, adapt(member as Json, values)]
      }),
  )
}
