import { fullProfile, type ServiceProfile } from '#contract/terms'
import { pass } from '../../testing/stack/wire.ts'
import { startFor } from '../support/flows/underway.ts'
import { parcel } from '../support/world/apiWorld.ts'
import type { World } from '../support/world/flowWorld.ts'
import type { Scenario } from './scenario.ts'

async function withProfile(world: World, profile: ServiceProfile, play: () => Promise<string>): Promise<string> {
  await world.restartWorker({ profile })
  const caseNo = await play()
  await world.flows.result(caseNo)
  await world.restartWorker()
  return caseNo
}

/** Flows with a service that ignores idempotency keys. */
export const withoutKeys: readonly Scenario[] = [
  {
    name: 'stock-booked-twice-without-keys',
    play: world =>
      withProfile(world, { ...fullProfile, idempotent: false }, async () => {
        const { caseNo } = await startFor(world, 'stock')
        await world.api.call('CreateLocalShipmentAsStock', { ...parcel, Details: { ReferenceCaseNo: caseNo } })
        await world.flows.cancel(caseNo, 'recorded')
        return caseNo
      }),
  },
  {
    name: 'stock-retried-without-keys-or-polls',
    play: world =>
      withProfile(world, { ...fullProfile, idempotent: false, reads: false, readsByCase: false }, async () => {
        let refused = 0
        world.toService.rule = ({ path }) =>
          path.includes('/CreateLocal') && refused++ === 0 ? { kind: 'status', status: 429 } : pass
        const { caseNo } = await startFor(world, 'stock')
        await world.flows.cancel(caseNo, 'recorded')
        return caseNo
      }),
  },
]
