import { expect, test } from 'vitest'
import { toThrottleAddress } from '../../../platform/http/callerAddress.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:DB8:0:0:ffff::1', '2001:db8:0:0::/64'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['::1', '0:0:0:0::/64'],
  ['203.0.113.9:50123', '203.0.113.9'],
  ['[2001:db8:1:2::1]:50123', '2001:db8:1:2::/64'],
  ['[2001:db8:1:2::1]', '2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unix socket', 'unknown'],
])('%s counts as %s', (address, counted) => expect(toThrottleAddress(address)).toBe(counted))
