import { devFolder, readAhead, readDevFile } from '../sandbox/devFile.ts'
import type { FlowSession } from './session.ts'

/** The time by the clock of the flows, in milliseconds since 1970: `lockerflow dev` in this folder may have moved its clock. */
export async function timeOf({ address, namespace }: Pick<FlowSession, 'address' | 'namespace'>): Promise<number> {
  const stack = readDevFile()?.temporal
  const isStack = stack?.address === address && stack.namespace === namespace
  return Date.now() + (isStack ? await readAhead(devFolder) : 0)
}
