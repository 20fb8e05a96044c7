import { networkInterfaces } from 'node:os'

/** True on a machine with loopback over IPv6. */
export const hasIpv6 = Object.values(networkInterfaces()).some(addresses =>
  addresses?.some(({ address }) => address === '::1'),
)
