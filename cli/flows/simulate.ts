import type { Calendars } from '#activities/calendars'
import { flows as builtIn } from '#flows'
import { describeFault, loadFlows } from '#flows/check'
import type { FlowDeclaration } from '#flows/declaration'
import { describeCaseFault, loadStory } from '#testing/cases'
import { closeWorlds, formatSimulation, type SimulatedStory, simulate } from '#testing/simulator'
import type { Story } from '#testing/story'
import { misuse } from '../command/failure.ts'
import type { Output } from '../command/output.ts'
import { readDocument } from '../fields/document.ts'
import type { FlowsArguments, SimulationArguments } from './arguments.ts'

/**
 * Simulates a flow and prints its run.
 * @returns false if the service or the flow refused an event of the story
 * @throws Error that names the argument or the file
 */
export async function simulateFlow(
  { patterns }: FlowsArguments,
  { flows: files, request: requestFile, story: storyFile, seed, start }: SimulationArguments,
  calendars: Calendars | undefined,
  output: Output,
): Promise<boolean> {
  const [flow = ''] = patterns
  const flows = await readFlows(files, output)
  if (!Object.hasOwn(flows, flow)) {
    throw misuse(`flow: must be one of ${Object.keys(flows).join(', ')}, got "${flow}".`)
  }
  const request = await readDocument('--request', requestFile)
  const { story, before, runs } = await readStory(storyFile)
  const run = await simulate({
    flow,
    flows,
    request,
    story,
    ...(calendars && { calendars }),
    ...(before && { before }),
    ...(runs && { runs }),
    ...(seed !== undefined && { seed }),
    ...(start !== undefined && { startAt: start }),
    notifications: true,
    cancelling: true,
  })
  await closeWorlds()
  output.result(run, () => formatSimulation(run).split('\n'))
  return !hasRefusal(run)
}

async function readFlows(files: readonly string[], output: Output): Promise<Readonly<Record<string, FlowDeclaration>>> {
  if (files.length === 0) return builtIn
  const { flows, faults } = await loadFlows(files, { taken: Object.keys(builtIn) })
  if (faults.length > 0) output.note(faults.map(describeFault))
  if (faults.some(({ warning }) => !warning)) throw misuse('--flows: must be declarations without faults.')
  return { ...builtIn, ...flows }
}

async function readStory(file: string | undefined): Promise<Story> {
  if (file === undefined) return { story: [] }
  const { story, faults } = await loadStory(file)
  if (story !== undefined && faults.length === 0) return story
  throw misuse(['--story: must be a story without faults.', ...faults.map(describeCaseFault)])
}

function hasRefusal({ timeLine }: SimulatedStory): boolean {
  return timeLine.some(({ kind }) => kind === 'refused')
}
