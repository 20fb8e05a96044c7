import type { Stack } from '../stack.ts'
import { createPeople, type People } from './people.ts'
import { type Played, play, type Scene, usualPatience } from './scene.ts'
import { issuingAgain, loan, stocking, swap } from './scenes.ts'
import type { Timeline } from './timeline.ts'

/** How it is played, where that is not the usual. */
export interface Playing {
  readonly people: People
  /** Added to each case number, which can be used once only. */
  readonly suffix: string
  /** How long a flow may take to hear of an opened locker, in milliseconds. */
  readonly patience: number
}

/**
 * What is played: a drill goes into stock, is lent, comes back and is issued again, each flow going on from what the
 * one before handed back; a swap goes on beside them.
 */
export async function playAll(
  { api, flows }: Pick<Stack, 'api' | 'flows'>,
  timeline: Timeline,
  { people = createPeople(api), suffix = '', patience = usualPatience }: Partial<Playing> = {},
): Promise<Played[]> {
  const [robin, kim] = await Promise.all([account(api, 'Robin'), account(api, 'Kim')])
  const played: Played[] = []
  async function playNext(scene: Scene): Promise<string> {
    const one = await play({ ...scene, caseNo: `${scene.caseNo}${suffix}` }, flows, people, timeline, patience)
    played.push(one)
    return String(one.result?.stockShipmentUid ?? '')
  }
  async function drill(): Promise<void> {
    const stocked = await playNext(stocking())
    const returned = await playNext(loan(stocked, robin))
    await playNext(issuingAgain(returned, kim))
  }
  await Promise.all([drill(), playNext(swap(robin))])
  return played
}

async function account(api: Stack['api'], firstName: string): Promise<string> {
  const { userUid } = await api.call('CreateOrGetAccount', {
    emailAddress: `${firstName.toLowerCase()}@example.org`,
    firstName,
    lastName: 'Reader',
    pickUpPointUid: 'pup-1',
  })
  if (userUid === null) throw new Error(`no account for ${firstName}`)
  return userUid
}
