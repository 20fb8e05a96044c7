import { probe } from './probe.ts'
import type { Source } from './source.ts'

/** The command that the machine has already. */
export const pathSource: Source = {
  title: 'temporal on the PATH',
  async find() {
    await probe('temporal')
    return 'temporal'
  },
}
