import type { Stack } from '#testing/stack'
import { createAccount, createOpeners, type Openers } from '#testing/story/people'
import { defaultTimeout, type Played, playScene } from './play.ts'
import { issueScene, loanScene, type Scene, stockScene, swapScene } from './scenes.ts'
import type { Timeline } from './timeline.ts'

export interface PlayOptions {
  readonly people: Openers
  /** Appended to each case number, which is unique. */
  readonly suffix: string
  /** Milliseconds that a flow has to react to an opened locker. */
  readonly timeout: number
}

/**
 * Plays all scenes. A drill goes into stock, is lent, comes back and is issued again: each flow uses the stock shipment
 * that the one before put out. Meanwhile a laptop is swapped.
 */
export async function playScenes(
  { api, flows }: Pick<Stack, 'api' | 'flows'>,
  timeline: Timeline,
  { people = createOpeners(api), suffix = '', timeout = defaultTimeout }: Partial<PlayOptions> = {},
): Promise<Played[]> {
  const [robin, kim] = await Promise.all([
    createAccount(api, 'Robin', 'Reader', 'pup-1'),
    createAccount(api, 'Kim', 'Reader', 'pup-1'),
  ])
  const played: Played[] = []
  async function playNext(scene: Scene): Promise<string> {
    const next = { ...scene, caseNo: `${scene.caseNo}${suffix}` }
    const ended = await playScene(next, flows, people, timeline, timeout)
    played.push(ended)
    return String(ended.result?.stockShipmentUid ?? '')
  }
  async function playDrill(): Promise<void> {
    const stocked = await playNext(stockScene())
    const returned = await playNext(loanScene(stocked, robin))
    await playNext(issueScene(returned, kim))
  }
  await Promise.all([playDrill(), playNext(swapScene(robin))])
  return played
}
