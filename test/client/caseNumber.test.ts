import { Client, Connection } from '@temporalio/client'
import { expect, test } from 'vitest'
import { createFlowClient } from '#client'

// Nothing listens on this port, and no request is sent.
const flows = createFlowClient(new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) }))
const refusal = {
  kind: 'Refused',
  code: 'InvalidFlowInput',
  message: expect.stringContaining('caseNo: must be 1 to 60 characters, without'),
}

test.each([{}, { caseNo: null }, { caseNo: 7 }, { caseNo: 'T-\ud800' }, { caseNo: ' T-1' }, { caseNo: '..' }])(
  'a start with %o as the case number names the field',
  async given => {
    const input = { request: {}, ...given } as never
    expect(await flows.start('stock', input)).toEqual(refusal)
    expect(await flows.startAndWaitForBooking('stock', input)).toEqual(refusal)
  },
)
