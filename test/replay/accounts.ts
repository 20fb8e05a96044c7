import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pass } from '../../testing/stack/wire.ts'
import { csv } from '../support/service/uploads.ts'
import type { World } from '../support/world/flowWorld.ts'
import type { Scenario } from './scenario.ts'
import { unusedAddress } from './unusedAddress.ts'

const account = { emailAddress: unusedAddress, firstName: 'First', lastName: 'Last', pickUpPointUid: 'pup-1' }

async function onboard(world: World, request: Record<string, unknown>): Promise<string> {
  const caseNo = world.newCase(0)
  await world.flows.start('onboardAccount', { caseNo, request })
  return caseNo
}

/** Imports a file from a temporary server. */
async function importFile(world: World, content: string | undefined, play: (caseNo: string) => Promise<unknown>) {
  const requested = Promise.withResolvers<void>()
  const server = createServer((_, response) => {
    requested.resolve()
    if (content !== undefined) response.end(content)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const caseNo = world.newCase(0)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/people.csv`
  await world.flows.start('importAccountSuggestions', { caseNo, request: { url } })
  await requested.promise
  await play(caseNo)
  server.closeAllConnections()
  server.close()
  return caseNo
}

/** Flows that book no locker. */
export const accountFlows: readonly Scenario[] = [
  {
    name: 'onboardAccount-completed',
    async play(world) {
      const caseNo = await onboard(world, account)
      await world.flows.result(caseNo)
      return caseNo
    },
  },
  {
    name: 'onboardAccount-set-up-afterwards',
    async play(world) {
      await world.api.call('SetSandboxFaults', { mutationConfigFails: true })
      const mutationConfig = { canChangeEmailAddress: false }
      const caseNo = await onboard(world, { ...account, pickUpPointUid: 'pup-2', mutationConfig })
      await world.flows.result(caseNo)
      await world.api.call('SetSandboxFaults', { mutationConfigFails: false })
      return caseNo
    },
  },
  {
    name: 'onboardAccount-refused',
    async play(world) {
      const caseNo = await onboard(world, { ...account, pickUpPointUid: 'pup-3' })
      await world.flows.result(caseNo)
      return caseNo
    },
  },
  {
    name: 'onboardAccount-cancelled',
    async play(world) {
      world.toService.rule = ({ path }) => (path.endsWith('CreateOrGetAccount') ? { kind: 'cut' } : pass)
      const caseNo = await onboard(world, account)
      await world.statusWhen(caseNo, ({ stage }) => stage === 'account')
      await world.flows.cancel(caseNo, 'recorded')
      return caseNo
    },
  },
  {
    name: 'importAccountSuggestions-completed',
    play: world => importFile(world, csv([{ EmailAddress: unusedAddress }]), caseNo => world.flows.result(caseNo)),
  },
  {
    name: 'importAccountSuggestions-cancelled',
    play: world => importFile(world, undefined, caseNo => world.flows.cancel(caseNo, 'recorded')),
  },
]
