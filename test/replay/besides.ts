import { sweepCase, terminate } from '../flows/orphans.ts'
import { startFor, walk } from '../flows/underway.ts'
import type { World } from '../flows/world.ts'
import type { Scenario } from './scenario.ts'

/** Nobody listens there; a flow does not care. */
const notices = { url: 'http://127.0.0.1:9/', key: 'a-key-of-nobody-who-listens' }

async function withNotices(world: World, play: () => Promise<string>): Promise<string> {
  await world.restartWorker({ notices })
  const caseNo = await play()
  await world.flows.result(caseNo)
  await world.restartWorker()
  return caseNo
}

/** What goes on beside flows: notices, and sweeps that have them taken over. */
export const besides: readonly Scenario[] = [
  {
    name: 'issue-completed-with-notices',
    play: world =>
      withNotices(world, async () => {
        const underway = await startFor(world, 'issue')
        await walk(world, underway)
        return underway.caseNo
      }),
  },
  {
    name: 'stock-overdue-with-notices',
    play: world =>
      withNotices(world, async () => {
        const { caseNo } = await startFor(world, 'stock', 'dropOff', { dropOff: '400ms' })
        await world.statusWhen(caseNo, ({ overdue }) => overdue)
        await world.flows.cancel(caseNo, 'recorded')
        return caseNo
      }),
  },
  {
    name: 'issueAndSwapIntake-adopted',
    async play(world) {
      const underway = await startFor(world, 'issueAndSwapIntake')
      await walk(world, underway, 'swap')
      await terminate(world, underway.caseNo)
      await sweepCase(world, underway.caseNo, { act: 'adopt' })
      await world.flows.cancel(underway.caseNo, 'recorded')
      return underway.caseNo
    },
  },
]
