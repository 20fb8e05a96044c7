import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { z } from 'zod'
import { declarationSchema, loadFlows } from '#flows/check'
import type { FlowDeclaration, Step } from '#flows/declaration'
import type { declaration } from '../../../flows/check/form/declaration.ts'
import type { step } from '../../../flows/check/form/steps.ts'
import { root } from '../../project/sources.ts'

type Form = z.infer<typeof declaration>
type FormStep = z.infer<typeof step>
type KeysOf<Union> = Union extends unknown ? keyof Union : never
type Equal<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false
/** The fields of each kind of step, by the key of the kind. */
type FieldsOf<Steps, Kind extends string> = keyof Extract<Steps, Record<Kind, unknown>>

/** Assignable in both directions, with the same fields: an optional field alone would be assignable. */
const equal: readonly [
  Equal<Form, FlowDeclaration>,
  Equal<keyof Form, keyof FlowDeclaration>,
  Equal<FormStep, Step>,
  Equal<KeysOf<FormStep>, KeysOf<Step>>,
  Equal<FieldsOf<FormStep, 'book'>, FieldsOf<Step, 'book'>>,
  Equal<FieldsOf<FormStep, 'wait'>, FieldsOf<Step, 'wait'>>,
  Equal<FieldsOf<FormStep, 'ask'>, FieldsOf<Step, 'ask'>>,
  Equal<FieldsOf<FormStep, 'call'>, FieldsOf<Step, 'call'>>,
  Equal<FieldsOf<FormStep, 'run'>, FieldsOf<Step, 'run'>>,
  Equal<FieldsOf<FormStep, 'sleep'>, FieldsOf<Step, 'sleep'>>,
] = [true, true, true, true, true, true, true, true, true, true]

test('the schema and the types of a declaration are equal', () => {
  expect(equal).not.toContain(false)
})

test('the JSON Schema has every kind of step, and no field that editors would show as read-only', () => {
  const schema = JSON.stringify(declarationSchema())
  for (const kind of ['Book', 'Wait', 'Ask', 'Call', 'Run', 'Sleep'])
    expect(schema).toContain(`"$ref":"#/$defs/${kind}"`)
  expect(schema).not.toContain('readOnly')
})

test('a declaration in YAML and in JSON is the same data', async () => {
  const folder = join(root, 'test/flows/check/right')
  const { flows } = await loadFlows(['repairShop.yaml'], { folder })
  const { flows: asJson, faults } = await loadFlows(['../repairShop.json'], { folder })
  expect(faults).toEqual([])
  expect(asJson).toEqual(flows)
  expect(readFileSync(join(folder, '../repairShop.json'), 'utf8').startsWith('{')).toBe(true)
})
