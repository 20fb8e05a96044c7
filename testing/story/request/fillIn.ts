import { examples } from '#contract'
import type { Json } from '#flows/declaration'
import { type RequestValues, toInstant } from './values.ts'

/** Keys and places from the root of a case, or of one of its words. */
type FieldPath = readonly (string | number)[]

/** A placeholder stands for no value. */
export class PlaceholderError extends Error {
  /** The place of its object. */
  readonly at: FieldPath

  constructor(message: string, at: FieldPath) {
    super(message)
    this.at = at
  }
}

/** Fields of examples that name the case, which is another one in each run. */
const ofCase = ['ReferenceCaseNo']

/** The fields of an example that name a user or a pick up point. */
const users = ['ToUserUid', 'FromUserUid', 'userUid']
const pickUpPoints = ['PupUid', 'pickUpPointUid']

/**
 * An object of a case with a value for each placeholder.
 * @param at the place of the object
 * @throws PlaceholderError for one without a value
 */
export function fillIn(
  fields: Readonly<Record<string, Json>>,
  values: RequestValues,
  at: FieldPath,
): Record<string, Json> {
  return resolve(fields, values, at) as Record<string, Json>
}

/** The results of activities with a value for each placeholder. @throws PlaceholderError for one without a value */
export function fillInRuns<Run extends { readonly returns: Readonly<Record<string, Json>> }>(
  runs: Readonly<Record<string, Run>>,
  values: RequestValues,
): Record<string, Run> {
  const filled = ([name, run]: [string, Run]): [string, Run] => [
    name,
    { ...run, returns: fillIn(run.returns, values, ['runs', name, 'returns']) },
  ]
  return Object.fromEntries(Object.entries(runs).map(filled))
}

function resolve(value: Json, values: RequestValues, at: FieldPath): Json {
  if (Array.isArray(value)) return value.map((member: Json, index) => resolve(member, values, [...at, index]))
  if (typeof value !== 'object' || value === null) return value
  const { $example, ...fields } = value as Readonly<Record<string, Json>>
  const whole = readWhole(fields, values, at)
  if (whole !== undefined) return whole
  const given = Object.fromEntries(
    Object.entries(fields).map(([key, member]) => [key, resolve(member, values, [...at, key])]),
  )
  return $example === undefined ? given : { ...toExample(String($example), values), ...given }
}

/** The value that an object stands for as a whole; undefined for any other object. */
function readWhole(
  { $user, $pup, $in, $item }: Readonly<Record<string, Json>>,
  values: RequestValues,
  at: FieldPath,
): string | undefined {
  try {
    if ($user !== undefined) return values.user(Number($user))
    if ($pup !== undefined) return values.pickUpPoint(Number($pup))
    if ($in !== undefined) return new Date(toInstant({ $in: String($in) }, values)).toISOString()
    return $item === undefined ? undefined : values.item(String($item))
  } catch (error) {
    throw new PlaceholderError(error instanceof Error ? error.message : String(error), at)
  }
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
