import { expect, test } from 'vitest'
import { checkFlows, loadFlows } from '#flows/check'
import { describeProblem, loadCases, runCases } from '#testing/cases'
import { createSimulatedTarget } from '#testing/story/simulated'
import { deviceSwap } from '../../examples/blocks/flows/deviceSwap.ts'
import { firstFreeLocker } from '../../examples/blocks/flows/firstFreeLocker.ts'
import { rental } from '../../examples/blocks/flows/rental.ts'
import { toolOrder } from '../../examples/blocks/flows/toolOrder.ts'
import { root } from '../project/sources.ts'

const inTypeScript = { deviceSwap, firstFreeLocker, rental, toolOrder }
const { flows } = await loadFlows(['examples/blocks/flows/*.yaml'], { folder: root })

test('the flows have no fault, and are the same in both languages', () => {
  expect(checkFlows(Object.values(flows))).toEqual([])
  expect(flows).toEqual(inTypeScript)
})

test('every case passes on the simulator, by ways that the check knows', async () => {
  const cases = await loadCases(['examples/blocks/cases/*.yaml'], { flows, folder: root })
  expect(new Set(cases.cases.map(({ test: each }) => each.flow))).toEqual(new Set(Object.keys(inTypeScript)))
  const { results, coverage, faults } = await runCases(cases, flows, createSimulatedTarget(Object.values(flows)))
  expect(faults).toEqual([])
  expect(results.flatMap(({ problems }) => problems.map(describeProblem))).toEqual([])
  expect(coverage.flatMap(({ unknown }) => unknown)).toEqual([])
})
