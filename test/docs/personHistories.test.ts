import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { useOwnTemporal } from '../support/world/ownTemporal.ts'
import { useWorld } from '../support/world/useWorld.ts'
import { readBlocks } from './blocks.ts'
import { runBlock } from './commands.ts'

// The command waits for each flow of the namespace that onboarded a person.
const world = useWorld({}, useOwnTemporal())
const blocks = readBlocks('how-to/keep-records.md')
const hasJq = spawnSync('jq', ['--version']).status === 0

test.skipIf(!hasJq)(
  'the command of the page finds the flows that onboarded a person',
  { timeout: 300_000 },
  async () => {
    const emailAddress = `kim-${randomUUID()}@home.example`
    const names = { firstName: 'Kim', lastName: 'Keeper', pickUpPointUid: 'pup-1' }
    const onboard = async (address: string, caseNo = world.newCase(0)) => {
      await world.flows.start('onboardAccount', { caseNo, request: { ...names, emailAddress: address } })
      const ended = await world.flows.result(caseNo)
      return { caseNo, ended }
    }
    const first = await onboard(emailAddress)
    const second = await onboard(emailAddress)
    const other = await onboard(`ada-${randomUUID()}@home.example`)
    const userUid = (first.ended as { result?: { userUid?: string } }).result?.userUid ?? ''
    expect(userUid).not.toBe('')

    // Their search attributes do not name the person.
    const query = `LockerflowFlow = 'onboardAccount' AND LockerflowUser = '${userUid}'`
    const all = [first, second, other].map(({ caseNo }) => caseNo)
    await eventually(async () => {
      const page = await world.flows.list({ flow: 'onboardAccount', state: 'ended', pageSize: 1_000 })
      const listed = page.kind === 'Listed' ? page.cases.map(({ caseNo }) => caseNo) : []
      return all.every(caseNo => listed.includes(caseNo))
    })
    expect((await world.client.workflow.count(query)).count).toBe(0)

    const { options } = world.client.connection as unknown as { readonly options: { readonly address: string } }
    const variables = {
      USER_UID: userUid,
      TEMPORAL_ADDRESS: options.address,
      TEMPORAL_NAMESPACE: world.client.options.namespace,
      LOCKERFLOW_TASK_QUEUE: world.taskQueue,
    }
    const found = await runBlock(blocks, 'find-accounts', variables, process.cwd())
    expect(found.trim().split('\n').toSorted()).toEqual([first.caseNo, second.caseNo].toSorted())
  },
)
