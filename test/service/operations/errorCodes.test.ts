import { describe, expect, test } from 'vitest'
import { type Operation, type OperationName, operations } from '#contract'
import { errors } from '#contract/terms'
import { checksOfManagement } from '../../support/service/checks/accountManagement.ts'
import { checksOfAccounts } from '../../support/service/checks/accounts.ts'
import type { Checks, Fault } from '../../support/service/checks/checks.ts'
import { checksOfShipments } from '../../support/service/checks/shipments.ts'
import { startSite } from '../../support/service/site.ts'

const all: readonly Checks[] = [...checksOfShipments, ...checksOfManagement, ...checksOfAccounts]
const titled = all.map(checks => ({
  title: [checks.operation, ...(checks.as === undefined ? [] : [checks.as])].join(', '),
  codes: checks.faults.map(({ code }) => code).join(', '),
  checks,
}))

describe('the order of checks', () => {
  test.each(titled)('$title: $codes', async ({ title, checks: { faults, prepare, send } }) => {
    const site = await startSite()
    await prepare?.(site)
    // From the last check to the first: each time one more thing is wrong, and it decides the error.
    let fields = {}
    for (const fault of faults.toReversed()) {
      await fault.prepare?.(site)
      fields = { ...fields, ...fault.fields }
      const { status, body } = await send(site, fields)
      expect({ title, status, error: body.error }).toEqual({
        title,
        status: errors[fault.code].status,
        error: fault.code,
      })
      expect(body).toMatchObject({ success: false, message: expect.stringMatching(namesOf(fault)) })
    }
  })

  test.each(titled)('$title succeeds if every check passes', async ({ checks: { prepare, send } }) => {
    const site = await startSite()
    await prepare?.(site)
    expect((await send(site, {})).body).toMatchObject({ success: true, error: null })
  })
})

test.each(Object.entries<Operation>(operations))('exactly the codes of %s are reached (SPEC-91)', (name, of) => {
  const faults = all.filter(({ operation }) => operation === (name as OperationName)).flatMap(checks => checks.faults)
  const reached = new Set(faults.map(({ code }) => code))
  expect([...reached].toSorted()).toEqual([...of.errors, 'InvalidRequest'].toSorted())
})

/** A field that is wrong, of those that make it so; a state and the like have none. */
function namesOf({ fields = {}, about }: Fault): RegExp {
  const names = about === undefined ? Object.keys(fields) : [about]
  return new RegExp(names.join('|'))
}
