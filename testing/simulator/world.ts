import { type Api, createApi, type HttpRequest, type HttpResponse } from '#contract/client'
import { demoTopology, type InProcessService, openInProcess, type Topology } from '#service'
import { createUser } from '#testing/story/people'
import type { VirtualClock } from './clock.ts'
import { SimulatedFaults } from './faults.ts'
import { runInside } from './isolation.ts'
import { SeededRandom } from './random.ts'
import { WorldStates } from './worldStates.ts'

/** The service of a simulation, with its clients. Later simulations reuse a world, since opening one takes long. */
export interface World {
  readonly service: InProcessService
  /** The client of the flow's activities. The faults of the story apply to it. */
  readonly workerApi: Api
  /** The client of everyone else. */
  readonly api: Api
  readonly topology: Topology
  /** Account uids, by the number of the user. */
  readonly users: ReadonlyMap<number, string>
  readonly states: WorldStates
  clock: Pick<VirtualClock, 'now'>
  random: SeededRandom
  faults: SimulatedFaults
}

/** The moment at which a world is made. No simulation starts earlier. */
export const worldStart = Date.UTC(2000, 0, 1)

const idle = new Map<Topology, World[]>()
/** Accounts that each world has, more than a story uses. */
const madeUsers = 9
const serviceUrl = 'http://service.invalid'

/** Returns a world without shipments. The caller gives it back with `returnWorld`. */
export async function borrowWorld(topology: Topology = demoTopology): Promise<World> {
  return idle.get(topology)?.pop() ?? createWorld(topology)
}

/** Leaves a world to the next simulation, whose first request finds it empty. */
export function returnWorld(world: World): void {
  world.states.release()
  const others = idle.get(world.topology) ?? []
  idle.set(world.topology, [...others, world])
}

/** Closes all worlds that no simulation uses. */
export async function closeWorlds(): Promise<void> {
  const all = [...idle.values()].flat()
  idle.clear()
  for (const { service, api, workerApi } of all) {
    await Promise.all([api.close(), workerApi.close()])
    await service.stop()
  }
}

async function createWorld(topology: Topology): Promise<World> {
  const state = { clock: { now: () => worldStart }, random: new SeededRandom(0), faults: new SimulatedFaults() }
  return runInside({ now: () => state.clock.now(), random: state.random }, async () => {
    const service = await openInProcess({ topology, clock: () => state.clock.now() })
    const [client] = topology.tenants.flatMap(({ clients }) => clients)
    const [pickUpPoint] = topology.pickUpPoints
    if (client?.clientSecret === undefined || pickUpPoint === undefined) {
      throw new Error('topology: must have a client with a secret, and a pick up point.')
    }
    const settings = { baseUrl: serviceUrl, authUrl: serviceUrl, ...client, clientSecret: client.clientSecret }
    let states: WorldStates | undefined
    const send = ({ url, headers, body }: HttpRequest): Promise<HttpResponse> => {
      states?.use()
      return service.send({ path: url.pathname, headers, body: String(body) })
    }
    const transport = { pause: async () => undefined, close: async () => undefined }
    const api = createApi(settings, { ...transport, post: send })
    const workerApi = createApi(settings, {
      ...transport,
      post: request => state.faults.send(request, () => send(request)),
    })
    await api.call('ConfigureCallback', {
      url: 'http://127.0.0.1:9/',
      authType: 'None',
      authKey: null,
      resetKey: false,
    })
    const users = new Map<number, string>()
    for (let number = 1; number <= madeUsers; number++) {
      users.set(number, await createUser(api, number, pickUpPoint.pupUid))
    }
    // Signs in.
    await workerApi.call('GetPickUpPoints', {})
    states = new WorldStates(service)
    return Object.assign(state, { service, api, workerApi, topology, users, states })
  })
}
