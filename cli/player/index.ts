// The people of cases and users with a story, who come by themselves. `dev` and the tests of integrators start them.
export { type Player, startPlayer } from './player.ts'
export { type Coming, stories } from './stories.ts'
