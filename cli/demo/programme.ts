import type { Stack } from '../stack.ts'
import { createPeople } from './people.ts'
import { type Played, play, type Scene } from './scene.ts'
import { issuingAgain, loan, stocking, swap } from './scenes.ts'
import type { Timeline } from './timeline.ts'

/**
 * What is played: a drill goes into stock, is lent, comes back and is issued again, each flow going on from what the
 * one before handed back; a swap goes on beside them.
 */
export async function playAll({ api, flows }: Stack, timeline: Timeline): Promise<Played[]> {
  const people = createPeople(api)
  const [robin, kim] = await Promise.all([account(api, 'Robin'), account(api, 'Kim')])
  const played: Played[] = []
  async function playNext(scene: Scene): Promise<string> {
    const one = await play(scene, flows, people, timeline)
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
