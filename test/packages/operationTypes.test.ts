import { expect, test } from 'vitest'
import { writeOperationTypes, writeType } from '../../packages/build/operationTypes.ts'
import { typeCheck } from '../support/release/typeCheck.ts'

const comparison = `import type { OperationName, RequestOf, ResponseOf } from '#contract'
import type * as plain from './plain.ts'

type Fits<A, B> = [A] extends [B] ? true : false
type Same<A, B> = Fits<A, B> extends true ? Fits<B, A> : false
// The plain type has the six states. The schema accepts them in any casing, and infers a text.
type Wrong = {
  [Name in OperationName]: Name extends plain.OperationName
    ? false extends
        | Fits<plain.RequestOf<Name>, RequestOf<Name>>
        | Same<Omit<RequestOf<Name>, 'shipmentState'>, Omit<plain.RequestOf<Name>, 'shipmentState'>>
        | Same<ResponseOf<Name>, plain.ResponseOf<Name>>
      ? Name
      : never
    : Name
}[OperationName]
export const wrong: never = undefined as unknown as Wrong
export const unknown: Exclude<plain.OperationName, OperationName> = undefined as never
`

test('the plain types of all operations agree with their schemas', async () => {
  expect(await typeCheck({ 'plain.ts': writeOperationTypes(), 'comparison.ts': comparison })).toBe('')
})

test.each([
  [{ anyOf: [{ type: 'string', const: '' }, { type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ enum: ['a', 'b'] }, '"a" | "b"'],
  [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }, '(string | number)[]'],
  [{ $ref: '#/$defs/Dimension' }, 'Dimension'],
  [{ type: 'object', additionalProperties: { type: 'boolean' } }, 'Record<string, boolean>'],
  [
    { type: 'object', properties: { a: { type: 'string' }, 'b-c': {} }, required: ['a'] },
    '{ a: string; "b-c"?: unknown | undefined }',
  ],
] as const)('the schema %j is written as a type', (schema, type) => {
  expect(writeType(schema)).toBe(type)
})
