import { expect, expectTypeOf, test } from 'vitest'
import type { z } from 'zod'
import type { FlowClient } from '#client'
import type { FlowDeclaration } from '#flows/declaration'
import { type ResultKind, resultSchemas, statusByKind } from '../../../gateway/flowApi/results.ts'

/** The result of a call, as its schema has it. */
type FlowApiResult = { [Kind in ResultKind]: z.output<(typeof resultSchemas)[Kind]> }[ResultKind]

/** A client of flows that the compiler does not know, as callers over HTTP are. */
type Flows = FlowClient<FlowDeclaration>

type Yields<Call> = Call extends (...args: never[]) => AsyncGenerator<infer Item, void, undefined>
  ? Item
  : Call extends (...args: never[]) => Promise<infer Result>
    ? Result
    : never

/** Every result of every call. `waitForEnd` is overloaded; `startAndWaitForEnd` has the same results. */
type Results = { [Name in keyof Flows]: Yields<Flows[Name]> }[Exclude<keyof Flows, 'handle'>]

/** Readonly marks and intersections make no difference in JSON. The roles of an unknown flow are texts. */
type Plain<Type> = [Type] extends [never] ? string : PlainOf<Type>
type PlainOf<Type> = Type extends (infer Item)[] | readonly (infer Item)[]
  ? Plain<Item>[]
  : Type extends object
    ? { -readonly [Name in keyof Type]: Plain<Type[Name]> }
    : Type

/** The results of one kind, joined. */
type Each<Union> = { [Kind in ResultKind]: Plain<Extract<Union, { kind: Kind }>> }

type KindOf<Type> = Type extends { kind: infer Kind } ? Kind : never

test('the schemas have the kinds of the flow client, and no other', () => {
  expectTypeOf<KindOf<FlowApiResult>>().toEqualTypeOf<KindOf<Results>>()
  expect(Object.keys(statusByKind)).toEqual(Object.keys(resultSchemas))
})

type Fits<One, Other> = One extends Other ? true : false

test('each result of the flow client fits the schema of its kind, and the schema allows no more', () => {
  expectTypeOf<Fits<Each<Results>, Each<FlowApiResult>>>().toEqualTypeOf<true>()
  expectTypeOf<Fits<Each<FlowApiResult>, Each<Results>>>().toEqualTypeOf<true>()
})
