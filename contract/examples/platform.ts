import { shipmentTypes } from '#contract/terms'
import { type Callback, callbackMessageType } from '../callback.ts'
import { type Examples, pickUpPoints, texts, uids } from './example.ts'

/** Pick up points, callbacks and sandbox faults. */
export const platform: Examples<'GetPickUpPoints' | 'ConfigureCallback' | 'SetSandboxFaults'> = {
  GetPickUpPoints: {
    request: { includeDetails: true, searchText: 'station' },
    response: {
      items: [
        {
          pupUid: pickUpPoints.square,
          name: 'Station Square',
          timeZone: 'Europe/Amsterdam',
          streetName: 'Stationsplein',
          streetNo: '1',
          mailbox: null,
          city: 'Utrecht',
          countryCode: 'NL',
          externalReference: null,
          outOfService: null,
          lockers: [
            { width: 40, height: 20, length: 60, total: 8, free: 8 },
            { width: 40, height: 40, length: 60, total: 4, free: 4 },
          ],
        },
      ],
      pageNo: 1,
      pageSize: 50,
      totalItems: 1,
      totalPages: 1,
    },
  },
  ConfigureCallback: {
    request: { url: 'http://127.0.0.1:8081/callbacks', authType: 'HMAC' },
    response: { authKey: 'pPq2vK9sQm4xR7tYw1zBc3dEf6gHj8kL', changed: true },
  },
  SetSandboxFaults: {
    request: { hardwareFails: true },
    response: { mutationConfigFails: false, hardwareFails: true },
  },
}

/** The callback after the drop-off of the examples' shipment. */
export const callbackExample: Callback = {
  messageType: callbackMessageType,
  message: {
    shipmentUid: uids.issue,
    stateCode: 'ReadyForPickup',
    stateStart: '2026-03-02T09:42:17.630',
    shipmentType: shipmentTypes.local,
    referenceNo: texts.ReferenceNo,
    referenceCaseNo: texts.ReferenceCaseNo,
    description: texts.Description,
    pupUid: pickUpPoints.square,
    fromUserUid: uids.dispatcher,
    toUserUid: uids.user,
  },
}
