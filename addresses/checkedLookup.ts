import { lookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { mayDial } from './ranges.ts'

/**
 * Resolves a host for a connection and refuses when it leads to an address that is not to be dialled. The
 * address checked is the one dialled, so a name that resolves differently the second time gains nothing.
 */
export function checkedLookup(privateAllowed: boolean): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? []
      if (error !== null) return done(error, [])
      if (first === undefined || !addresses.every(({ address }) => mayDial(address, privateAllowed))) {
        return done(Object.assign(new Error('forbidden address'), { code: 'EFORBIDDENADDRESS' }), [])
      }
      if (options.all) return done(null, addresses)
      done(null, first.address, first.family)
    })
  }
}
