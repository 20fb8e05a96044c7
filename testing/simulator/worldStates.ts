import type { InProcessService } from '#service'
import type { ItemKind } from '#testing/story'
import { runInside } from './isolation.ts'
import { SeededRandom } from './random.ts'

/** The shipments that exist before a flow: kinds by names. */
export type ItemKinds = Readonly<Record<string, ItemKind>>

/** The states to which the service of a world goes back: without shipments, and with those of the last simulation's `before`. */
export class WorldStates {
  readonly #service: Pick<InProcessService, 'mark' | 'rewind' | 'takeCallbacks'>
  readonly #empty: number
  #prepared: { readonly key: string; readonly state: number; readonly items: ReadonlyMap<string, string> } | undefined
  #isUsed = false

  /** @param service without shipments */
  constructor(service: Pick<InProcessService, 'mark' | 'rewind' | 'takeCallbacks'>) {
    this.#service = service
    this.#empty = service.mark()
  }

  /** Call it before each request: the first one of a simulation finds no shipments. */
  use(): void {
    if (this.#isUsed) return
    this.#isUsed = true
    this.#prepared = undefined
    this.#service.rewind(this.#empty)
  }

  /** Call it at the end of a simulation. */
  release(): void {
    this.#isUsed = false
  }

  /**
   * Creates the shipments that exist before a flow, unless the last simulation had the same ones. They do not depend on the
   * seed of the simulation, which has made no request before.
   * @param now in milliseconds since 1970
   * @param create returns the uid of a shipment
   * @returns the uids by their names
   */
  async prepare(
    before: ItemKinds,
    now: number,
    create: (name: string, kind: ItemKind) => Promise<string>,
  ): Promise<ReadonlyMap<string, string>> {
    const key = JSON.stringify([before, now])
    const isFirst = !this.#isUsed
    if (isFirst && this.#prepared?.key === key) {
      this.#isUsed = true
      this.#service.rewind(this.#prepared.state)
      return this.#prepared.items
    }
    this.use()
    const items = new Map<string, string>()
    await runInside({ now: () => now, random: new SeededRandom(0) }, async () => {
      for (const [name, kind] of Object.entries(before)) items.set(name, await create(name, kind))
    })
    // No flow receives them.
    await this.#service.takeCallbacks()
    if (isFirst && items.size > 0) this.#prepared = { key, state: this.#service.mark(), items }
    return items
  }
}
