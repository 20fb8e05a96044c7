import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Calendars, readCalendars } from '#activities/calendars'
import { flows as builtIn } from '#flows'
import { type CheckOptions, describeFault, loadFlows, rejectFaults } from '#flows/check'
import type { ownFlowNames } from '#platform/environment'
import { loadFile, loadTogether } from '#platform/settings'
import { type OwnActivity, type OwnFlows, rejectTaken } from './ownFlows.ts'

interface OwnParts extends OwnFlows {
  readonly calendars?: Calendars
}

/** The content of the files. */
export interface OwnFiles extends Required<OwnFlows> {
  readonly calendars?: Calendars
  /** About the flows, one line each. */
  readonly warnings: readonly string[]
}

/**
 * Loads the flows, activities and calendars of the files that the settings name.
 * @param given parts from elsewhere, whose files are not loaded. Flows name their activities, so both come from one place
 * @throws SettingsError with the faults of all files
 */
export async function loadOwnFiles(
  { LOCKERFLOW_CALENDARS: calendarFile, ...files }: Readonly<Record<(typeof ownFlowNames)[number], string | undefined>>,
  given: OwnParts = {},
): Promise<OwnFiles> {
  const isGiven = given.flows !== undefined || given.activities !== undefined
  const { LOCKERFLOW_FLOWS: flowFiles, LOCKERFLOW_ACTIVITIES: module } = isGiven ? {} : files
  const importing = module === undefined ? Promise.resolve({}) : importActivities(module)
  const { activities, calendars, flows } = await loadTogether({
    activities: () => loadFile('LOCKERFLOW_ACTIVITIES', () => importing),
    calendars: () =>
      given.calendars ?? (calendarFile && loadFile('LOCKERFLOW_CALENDARS', () => readCalendars(calendarFile))),
    flows: async () => {
      // The worker does not start with a faulty file, so flows may rely on all names that it declares.
      const names = await importing.then(Object.keys, () => undefined)
      const options = {
        calendars: (given.calendars ?? calendarFile) !== undefined,
        ...(names && { activities: names }),
      }
      return loadFile('LOCKERFLOW_FLOWS', () => loadDeclarations(flowFiles, options))
    },
  })
  return { ...flows, activities, ...(calendars && { calendars }) }
}

async function loadDeclarations(pattern: string | undefined, options: CheckOptions) {
  if (pattern === undefined) return { flows: [], warnings: [] }
  const { flows, faults } = await loadFlows([pattern], { taken: Object.keys(builtIn), ...options })
  rejectFaults(faults)
  return { flows: Object.values(flows), warnings: faults.map(describeFault) }
}

/**
 * The functions that a module exports by name.
 * @throws Error for a module that cannot be imported or exports none, and for names of built-in activities
 */
export async function importActivities(file: string): Promise<Readonly<Record<string, OwnActivity>>> {
  const module: object = await import(pathToFileURL(resolve(file)).href).catch(error => {
    const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new Error(`must be a module that can be imported, but "${file}" is not: ${reason.replace(/\.$/, '')}.`)
  })
  const functions = Object.entries(module).filter(([name, value]) => name !== 'default' && typeof value === 'function')
  if (functions.length === 0) throw new Error(`must export functions by name, but "${file}" exports none.`)
  // The names need all activities, which few settings do.
  const { activityNames } = await import('#activities')
  const names = functions.map(([name]) => name)
  rejectTaken(names, activityNames, '')
  return Object.fromEntries(functions)
}
