import { sandboxPaths } from '#contract'
import { demoTopology } from '#service'
import type { Stack } from '#testing/stack'
import { type Player, startPlayer } from '#testing/story/arrivals'
import type { Progress } from '#testing/temporal'
import { createTrafficClient } from './trafficClient.ts'

const [tenant] = demoTopology.tenants

/**
 * Plays the cases and users of a developer's stack that have a story. Callbacks wake the player: polls would fill the list
 * of requests that the developer reads.
 */
export function startDevPlayer(stack: Stack, progress: Progress): Pick<Player, 'stop'> {
  const { api, flows, serviceAddress, credentials } = stack
  const player = startPlayer({ api, flows, dispatcher: tenant?.dispatcher.userName ?? '' })
  const stopping = new AbortController()
  const following = wakeByCallbacks().catch(error => progress(`stories do not play: ${error}`))

  async function wakeByCallbacks(): Promise<void> {
    const client = createTrafficClient({ baseUrl: serviceAddress, authUrl: serviceAddress, ...credentials })
    for await (const _callback of client.follow(sandboxPaths.callbacks, { signal: stopping.signal })) player.wake()
  }

  return {
    async stop() {
      stopping.abort()
      await Promise.all([following, player.stop()])
    },
  }
}
