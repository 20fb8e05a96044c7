import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { callback, callbackExample, examples, type Operation, type OperationName, operations } from '#contract'

const names = Object.keys(operations) as OperationName[]

describe.each(names)('the example of %s', name => {
  const operation: Operation = operations[name]
  const { request, response, file } = examples[name]

  test('is a valid request without ignored fields', () => {
    expect(operation.request.parse(request)).toMatchObject(request)
    expect(Object.keys(operation.request.shape)).toEqual(expect.arrayContaining(Object.keys(request)))
  })

  test('is a valid response', () => {
    expect(z.strictObject(operation.response.shape).parse(response)).toEqual(response)
  })

  test('has a file only if the operation accepts one', () => {
    expect(file !== undefined).toBe(operation.upload === true)
  })
})

test('there are examples of operations only', () => {
  expect(Object.keys(examples).toSorted()).toEqual(names.toSorted())
})

test('the example of the callback is valid', () => {
  expect(callback.parse(callbackExample)).toEqual(callbackExample)
})
