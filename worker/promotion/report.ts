import { type Build, nameOf } from '../deployment.ts'
import type { Promotion } from './promote.ts'

/** What a promotion came to, in lines for people. */
export function reportOf(build: Build, onlyCheck: boolean, promotion: Promotion): string[] {
  const { objections, before, moving, replayed, staying } = promotion
  const name = nameOf(build)
  const refused = objections.length > 0
  return [
    `${flows(moving)} ${moving === 1 ? 'moves' : 'move'} to ${name}; ${replayed} replayed with it`,
    ...[...staying].map(
      ([old, count]) =>
        `${flows(count)} ${count === 1 ? 'stays' : 'stay'} on ${old}, whose workers are needed until then`,
    ),
    ...objections.flatMap(({ why, cases }) => [`refused: ${why}`, ...cases.map(each => `  ${each}`)]),
    refused || onlyCheck
      ? `${before === undefined ? 'no build' : nameOf(before)} stays current`
      : `${name} is current, before it was ${before === undefined ? 'no build' : nameOf(before)}`,
    ...(onlyCheck && !refused ? [`nothing speaks against ${name}`] : []),
  ]
}

function flows(count: number): string {
  return count === 1 ? '1 open flow' : `${count} open flows`
}
