import { describe, test } from 'node:test'
import { describeCases } from 'lockerflow/cases'

/** Each case of the file becomes a test. Paths are relative to the folder in which the runner was started. */
await describeCases(
  { describe, test },
  {
    cases: ['repair-shop/cases.yaml'],
    flows: ['repair-shop/flows/repairShop.yaml'],
  },
)
