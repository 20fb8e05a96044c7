import { expect, test } from 'vitest'
import type { FlowDeclaration } from '#flows/declaration'
import { relocation } from '../../../support/flows/workshop.ts'
import { tell } from '../../../support/simulator/journeys.ts'
import { untilEnd, useSimulations } from '../../../support/simulator/useSimulations.ts'

const [account, pause] = relocation.steps
const strictRelocation: FlowDeclaration = {
  ...relocation,
  name: 'strictRelocation',
  steps: [{ ...account, onError: { InvalidUserUid: 'fail' } }, pause],
}

const start = useSimulations({ flows: { relocation, strictRelocation } })
const relocate = { flow: 'relocation', request: { customerUid: { $user: 1 } } }
const leftOver = [{ step: 'account', shipmentUid: null, reason: 'The customer has another pick up point.' }]
const call = 'SetAccountPickUpPoint'
const lost = [{ call, fault: 'responseLost' }] as const

test('a call that is given up without a response leaves its sentence for a person', async () => {
  const simulation = await start({ ...relocate, windows: { account: '1m' } }, { faults: lost })
  await simulation.apply({ after: '1m' })
  expect(simulation.run()).toMatchObject({ outcome: 'failed', code: 'CallGivenUp', leftOver })
})

test.each([
  ['between two attempts', lost],
  ['after it', []],
])('so does a call whose flow is cancelled %s', async (_, faults) => {
  const simulation = await start(relocate, { faults })
  await tell(simulation, [{ after: '1s' }, { cancelInWebUi: true }])
  await untilEnd(simulation)
  expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver })
})

test.each([
  ['', 'relocation'],
  [', and its step names the code', 'strictRelocation'],
])('a call that the service refuses%s leaves nothing', async (_, flow) => {
  const simulation = await start({ flow, request: { customerUid: 'nobody-has-it' } })
  expect(simulation.run()).toMatchObject({ outcome: 'failed', code: 'InvalidUserUid', leftOver: [] })
})
