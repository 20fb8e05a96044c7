import { expect, test } from 'vitest'
import { type Operation, operations } from '#contract'
import { businessErrors, flowErrors, requestErrors } from '#contract/terms'

const declared: [string, Operation][] = Object.entries(operations)

test.each(declared)('%s is declared under its own name and path', (name, operation) => {
  expect(operation.name).toBe(name)
  expect(operation.path).toMatch(new RegExp(`^/v1/(Logistics|Account|PickupPoints|Platform)/${name}$`))
})

test.each(declared)('%s refuses with codes of the table of refusals only', (_, operation) => {
  for (const code of [...operation.errors, ...Object.values(operation.missingFieldErrors ?? {})]) {
    const allowed = code in businessErrors || code === 'TooManyAttempts'
    expect({ code, allowed }).toEqual({ code, allowed: true })
  }
})

test.each(Object.entries({ ...requestErrors, ...flowErrors }))('%s is a failed request', (_, { status }) => {
  expect(status).toBeGreaterThanOrEqual(400)
})

test.each(Object.entries(businessErrors))('%s is a refusal with HTTP 200', (_, { status }) => {
  expect(status).toBe(200)
})
