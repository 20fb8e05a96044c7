import { loadFile } from '#contract/settings'
import { describeFault, loadFlows } from '#declarations'
import { flows as builtIn } from '#flows'
import type { FlowDeclaration } from '#flows/declaration'
import type { DoorSettings } from './settings.ts'

export type Declarations = Pick<DoorSettings, 'flows' | 'flowFiles'>

/**
 * Returns the declared flows of a door. Their activities and calendars are those of the worker, and not checked.
 * @throws SettingsError with a problem for each fault of the files
 */
export async function loadDoorFlows({ flows = [], flowFiles = [] }: Declarations): Promise<readonly FlowDeclaration[]> {
  const loaded = await loadFile('LOCKERFLOW_FLOWS', async () => {
    const { flows, faults } = await loadFlows(flowFiles, { taken: Object.keys(builtIn) })
    const errors = faults.filter(({ warning }) => !warning)
    if (errors.length > 0) throw new Error(errors.map(describeFault).join('\n'))
    return Object.values(flows)
  })
  return [...flows, ...loaded]
}
