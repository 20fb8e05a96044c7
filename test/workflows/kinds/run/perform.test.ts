import { describe, expect, test } from 'vitest'
import type { FailingWork, SimulatedStart, Simulation } from '#testing/simulator'
import { labelWith } from '../../../support/flows/workshop.ts'
import { undosBy } from '../../../support/simulator/undos.ts'
import { untilEnd, useSimulations } from '../../../support/simulator/useSimulations.ts'

const pause = { name: 'pause', summary: 'The label dries.', sleep: '1h' } as const
const flows = {
  label: labelWith('label', {}),
  labelTwice: labelWith('labelTwice', { retry: { initialInterval: '1ms', maximumAttempts: 2 } }),
  /** It goes on with a label whose number is unknown. */
  anyLabel: labelWith('anyLabel', { onError: { InvalidActivityResult: 'continue' } }, [pause]),
}
const runs = { printLabel: { returns: { labelNo: 'L-1' } }, voidLabel: { returns: {} } }
const wrong = { ...runs, printLabel: { returns: { labelNo: 42 } } }
const uncertain = [{ certain: false, output: null }]

const start = useSimulations({ flows, runs })
const startOf = (flow: keyof typeof flows): SimulatedStart => ({ flow, request: {}, waits: false })
const failing = (work: Omit<FailingWork, 'run'>) => ({ faults: [{ run: 'printLabel', ...work }] })

function expectFailed(simulation: Simulation, code: string, message: string, attempts = 1): void {
  const run = simulation.run()
  expect(run).toMatchObject({ outcome: 'failed', code, message: expect.stringContaining(message) })
  const ends = run.timeLine.filter(entry => 'attempts' in entry && entry.activity === 'printLabel')
  expect(ends).toMatchObject([{ attempts }])
  expect(undosBy(simulation, 'voidLabel')).toMatchObject(uncertain)
}

describe('a run step fails', () => {
  test('with the message of the last attempt that its retry policy allows', async () => {
    const simulation = await start(startOf('labelTwice'), failing({ fault: 'unavailable' }))
    await untilEnd(simulation)
    const message =
      'No successful attempt in the attempts that its retry policy allows: Unavailable: The story lets it fail.'
    expectFailed(simulation, 'RunGivenUp', message, 2)
  })

  test.each([
    ['as Python and Go report it', '', 'The story lets it fail.'],
    ['as TypeScript reports it', 'Error', 'Error: The story lets it fail.'],
  ])(
    'with RunGivenUp, and not with a code of the service, on a failure without a type, %s',
    async (_, code, reason) => {
      const simulation = await start(startOf('label'), failing({ code }))
      const message = `No successful attempt before a failure that is not retryable and has no type: ${reason}`
      expectFailed(simulation, 'RunGivenUp', message)
    },
  )

  test('on a result that does not match its declaration', async () => {
    const simulation = await start(startOf('label'), { runs: wrong })
    expectFailed(simulation, 'InvalidActivityResult', 'result.labelNo: must be a text')
  })
})

test('a flow goes on after such a result if its step tolerates it, and undoes it as uncertain later', async () => {
  const simulation = await start(startOf('anyLabel'), { runs: wrong })
  expect(simulation.status().step).toBe('pause')
  await simulation.apply({ cancelInWebUi: true })
  expect(simulation.run()).toMatchObject({ outcome: 'cancelled', leftOver: [] })
  expect(undosBy(simulation, 'voidLabel')).toMatchObject(uncertain)
})
