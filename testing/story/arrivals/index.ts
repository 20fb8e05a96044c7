// The people of cases and users with a story, who come by themselves. `dev`, `simulate stories` and the tests of integrators
// start them.
export { type Opening, type Player, startPlayer } from './player.ts'
export { isStaging, type Shipment } from './requests.ts'
export { type Arrival, stories } from './stories.ts'
