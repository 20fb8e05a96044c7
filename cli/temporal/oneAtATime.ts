import { cliVersion } from './cache.ts'
import { withCacheLock } from './cacheLock.ts'
import { cacheSource, type Source } from './sources.ts'

/** A source that takes minutes: a second process waits for the first one, and uses its command (D-518). */
export function oneAtATime(source: Source): Source {
  return {
    title: source.title,
    find(context) {
      const { cacheFolder, progress } = context
      const onWait = () =>
        progress(`Waiting for another process, which gets the Temporal CLI ${cliVersion} for this machine`)
      return withCacheLock(cacheFolder, { name: `temporal-${cliVersion}`, onWait }, () =>
        // The other process may have ended since the cache was read.
        cacheSource.find(context).catch(() => source.find(context)),
      )
    },
  }
}
