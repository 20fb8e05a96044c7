import { z } from 'zod'
import { milliseconds, stateCodes } from '#contract/terms'
import { longestBooking } from './input.ts'

/** A fault of a declaration: the field, as a path, and what is wrong with it. */
export type Fault = readonly [path: string, text: string]

const name = z.string().regex(/^[a-z][A-Za-z0-9]{0,79}$/, 'has to be letters and digits, beginning with a small letter')

/** Temporal shows summaries of so many bytes. */
const summary = z
  .string()
  .min(1, 'has to say something')
  .refine(text => Buffer.byteLength(text) <= 200, 'has to be at most 200 bytes')

const duration = z
  .string()
  .refine(text => milliseconds(text) !== undefined, 'has to be a duration such as "30s", "30m", "48h" or "3d"')

const state = z.enum(stateCodes, `has to be one of ${stateCodes.join(', ')}`)

const isNotEmpty = (value: object) => Object.keys(value).length > 0

const stage = z.strictObject({
  name: name.refine(text => text !== 'booking', 'booking is the name of the window of the booking'),
  summary,
  when: z.record(z.string(), z.boolean()).optional(),
  reached: z.record(z.string(), state).refine(isNotEmpty, 'has to name the state of at least one role'),
  window: duration.nullable(),
  answer: z.enum(['remind', 'cancel', 'ask'], 'has to be remind, cancel or ask').nullable(),
  cancels: z.array(z.string()),
  order: z.strictObject({ update: z.enum(['assignReceiver', 'release']), role: z.string() }).optional(),
})

const role = z.strictObject({
  first: state,
  given: z.literal(true).optional(),
  link: z.strictObject({ by: z.enum(['swaps', 'follows', 'circles']), to: z.string() }).optional(),
})

const declaration = z.strictObject({
  name,
  summary,
  operation: z.string(),
  roles: z.record(name, role).refine(isNotEmpty, 'has to have at least one role'),
  booking: duration.refine(text => (milliseconds(text) ?? 0) <= longestBooking, 'has to be at most 12h'),
  stages: z.array(stage).min(1, 'has to have at least one stage'),
  handsBack: z.record(name, z.string()),
})

/** What of a declaration does not have the shape of one; `declarations.ts` says how its parts have to fit together. */
export function shapeFaults(given: unknown): Fault[] {
  const issues = declaration.safeParse(given).error?.issues ?? []
  return issues.flatMap((issue): Fault[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map(key => [pathOf([...issue.path, key]), 'is no field of a declaration'])
    }
    const isMissing = issue.path.length > 0 && valueAt(given, issue.path) === undefined
    return [[pathOf(issue.path), isMissing ? 'is missing' : issue.message]]
  })
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((below, part) => (below as Record<PropertyKey, unknown> | undefined)?.[part], value)
}

function pathOf(path: readonly PropertyKey[]): string {
  if (path.length === 0) return 'the declaration'
  return path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : `${text}${text && '.'}${String(part)}`),
    '',
  )
}
