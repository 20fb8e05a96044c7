import type { World } from '../flows/world.ts'

/** Something that a flow can live through; each is recorded once in test/histories, under its name. */
export interface Scenario {
  readonly name: string
  /** Plays it in a world and answers the case whose history is to be kept. */
  play(world: World): Promise<string>
}
