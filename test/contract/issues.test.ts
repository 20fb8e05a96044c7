import { expect, test } from 'vitest'
import { z } from 'zod'
import { describeIssue } from '#contract'

test.each<[z.ZodType, unknown, string]>([
  [z.string(), 1, 'must be a text'],
  [z.int(), 1.5, 'must be a whole number'],
  [z.boolean(), 'yes', 'must be true or false'],
  [z.array(z.string()), 'a', 'must be a list'],
  [z.object({ a: z.string() }), [], 'must be an object'],
  [z.enum(['one', 'two']), 'three', 'must be one of "one", "two"'],
  [z.literal('one'), 'two', 'must be "one"'],
  [z.string().min(1), '', 'must not be empty'],
  [z.array(z.string()).min(1), [], 'must not be empty'],
  [z.string().min(2), 'a', 'must have at least 2 characters'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 items'],
  [z.string().length(3), 'a', 'must have exactly 3 characters'],
  [z.number().min(1), 0, 'must be at least 1'],
  [z.number().positive(), 0, 'must be more than 0'],
  [z.number().max(500), 501, 'must be at most 500'],
  [z.number().negative(), 0, 'must be less than 0'],
  [z.email(), 'a', 'must be an email address'],
  [z.url(), 'a', 'must be a URL'],
  [z.strictObject({}), { a: 1, b: 1 }, 'must not have "a", "b"'],
  [z.string('must be a name'), 1, 'must be a name'],
  [z.union([z.literal(''), z.string().min(2)]), 'a', 'must have at least 2 characters'],
])('a problem of a field is a sentence of lockerflow: %#', (schema, value, sentence) => {
  const body = { field: value }
  const { error } = z.object({ field: schema }).safeParse(body)
  expect(error?.issues.map(issue => describeIssue(issue, body))).toEqual([`field: ${sentence}`])
})

test('a missing field, and a body of another type, are named', () => {
  const schema = z.object({ list: z.array(z.object({ name: z.string() })) })
  const describe = (body: unknown) => schema.safeParse(body).error?.issues.map(issue => describeIssue(issue, body))
  expect(describe({ list: [{}] })).toEqual(['list[0].name is missing'])
  expect(describe([])).toEqual(['The body: must be an object'])
})
