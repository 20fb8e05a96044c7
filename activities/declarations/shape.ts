import { z } from 'zod'
import { stateCodes } from '#contract/terms'
import { parseDuration } from '#flows'
import { duration, maxBookingWindow } from '../plan/input.ts'

/** A fault of a declaration: the path of a field, and its problem. */
export type Fault = readonly [path: string, text: string]

const name = z.string().regex(/^[a-z][A-Za-z0-9]{0,79}$/, 'must be letters and digits, beginning with a small letter')

/** Temporal limits summaries to 200 bytes. */
const summary = z
  .string()
  .min(1, 'must not be empty')
  .refine(text => Buffer.byteLength(text) <= 200, 'must be at most 200 bytes')

const state = z.enum(stateCodes, `must be one of ${stateCodes.join(', ')}`)

const isNotEmpty = (value: object) => Object.keys(value).length > 0

const policy = z.enum(['remind', 'cancel', 'ask'], 'must be remind, cancel or ask')

const common = { name, summary }

const book = z.strictObject({
  ...common,
  book: z.string(),
  window: duration.refine(text => (parseDuration(text) ?? 0) <= maxBookingWindow, 'must be at most 12h').optional(),
})

const wait = z.strictObject({
  ...common,
  when: z.record(z.string().regex(/^input\../, 'must begin with input.'), z.boolean()).optional(),
  wait: z.record(z.string(), state).refine(isNotEmpty, 'must name the state of at least one role'),
  window: duration.nullable(),
  onTimeout: policy.optional(),
  onLockerOutOfService: policy.optional(),
  completedBy: z.strictObject({ update: z.enum(['assignReceiver', 'release']), role: z.string() }).optional(),
  keep: z.array(z.string()).optional(),
})

const declaration = z.strictObject({
  ...common,
  steps: z.tuple([book], wait).refine(({ length }) => length > 1, 'must have a step after the booking'),
  outputs: z.record(name, z.string().regex(/^\w+\.shipmentUid$/, 'must be a role and .shipmentUid')).optional(),
})

/** Checks the shape of a declaration. check.ts checks that its parts fit together. */
export function shapeFaults(value: unknown): Fault[] {
  const issues = declaration.safeParse(value).error?.issues ?? []
  return issues.flatMap((issue): Fault[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => [toPath([...issue.path, key]), 'is an unknown field'])
    }
    const isMissing = issue.path.length > 0 && valueAt(value, issue.path) === undefined
    return [[toPath(issue.path), isMissing ? 'is missing' : issue.message]]
  })
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((below, part) => (below as Record<PropertyKey, unknown> | undefined)?.[part], value)
}

function toPath(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the declaration'
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}${text && '.'}${String(part)}`),
    '',
  )
}
