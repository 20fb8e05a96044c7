import { describe, expect, test } from 'vitest'
import { mayDial } from '#addresses'

const rows: { addresses: string[]; publicly: boolean; privately: boolean }[] = [
  { addresses: ['8.8.8.8', '1.1.1.1', '172.32.0.1', '2606:4700::1111'], publicly: true, privately: true },
  {
    addresses: ['127.0.0.1', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '::1', 'fd00::1'],
    publicly: false,
    privately: true,
  },
  {
    addresses: ['::ffff:127.0.0.1', '64:ff9b::808:808', '2002:7f00:1::', '2001:db8::1'],
    publicly: false,
    privately: true,
  },
  {
    addresses: ['169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1', '::ffff:169.254.169.254', '64:ff9b::a9fe:a9fe'],
    publicly: false,
    privately: false,
  },
  {
    addresses: ['100.100.100.200', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
    publicly: false,
    privately: false,
  },
  { addresses: ['0.0.0.0', '255.255.255.255', '224.0.0.1'], publicly: false, privately: true },
  { addresses: ['', 'localhost', '1.2.3'], publicly: false, privately: false },
]

describe('callbacks may go to', () => {
  test.each(rows)('$addresses: publicly $publicly, privately $privately', ({ addresses, publicly, privately }) => {
    for (const address of addresses) {
      expect([address, mayDial(address, false), mayDial(address, true)]).toEqual([address, publicly, privately])
    }
  })
})
