import { join } from 'node:path'
import { readCalendars } from '#activities/calendars'
import { flows as builtIn, type FlowDeclaration } from '#flows'
import { loadFlows } from '#flows/check'
import { loadCases } from '#testing/cases'
import { root } from '../../project/sources.ts'

/** The declarations of the examples. */
export const exampleFlows = ['examples/repair-shop/flows/repairShop.yaml', 'examples/parcel-return/parcelReturn.yaml']

/** Every file of cases that users get. */
export const shippedCases = ['flows/cases/*.yaml', 'examples/*/cases.yaml']

/** The shipped cases, the flows that they run, and the calendars of the examples. */
export async function loadShipped() {
  const { flows: own } = await loadFlows(exampleFlows, { folder: root })
  const flows: Readonly<Record<string, FlowDeclaration>> = { ...builtIn, ...own }
  const calendars = readCalendars(join(root, 'examples/parcel-return/calendars.yaml'))
  return { own, flows, calendars, cases: await loadCases(shippedCases, { flows, folder: root }) }
}
