import { flows as builtIn, type FlowDeclaration } from '#flows'
import { loadFlows } from '#flows/check'
import { loadCases } from '#testing/cases'
import { root } from '../../project/sources.ts'

/** The declarations of the examples. */
export const exampleFlows = ['examples/repair-shop/flows/repairShop.yaml']

/** Every file of cases that users get. */
export const shippedCases = ['flows/cases/*.yaml', 'examples/*/cases.yaml']

/** The shipped cases, and the flows that they run. */
export async function loadShipped() {
  const { flows: own } = await loadFlows(exampleFlows, { folder: root })
  const flows: Readonly<Record<string, FlowDeclaration>> = { ...builtIn, ...own }
  return { own, flows, cases: await loadCases(shippedCases, { flows, folder: root }) }
}
