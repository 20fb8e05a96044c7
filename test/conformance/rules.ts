/** The rules of the interface specification by its headings. A new rule takes the next free id. */
export const rules: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'What the service does': {
    'SPEC-1': 'The dispatcher is the API client that signed in: its shipments are its own.',
    'SPEC-2': 'A user that a shipment needs and that is not given is the main account of the dispatcher.',
    'SPEC-3': 'Accounts are shared by all tenants, and an e-mail address is registered once.',
    'SPEC-4': 'A tenant looks up and changes only accounts linked to a pick up point that it manages.',
    'SPEC-5': 'GetAccount reveals nothing about other accounts except that an e-mail address is registered.',
  },
  'Resources and their fields': {
    'SPEC-6': 'All identifiers are strings.',
  },
  Shipment: {
    'SPEC-7': 'A shipment has the fields of the table: uid, type, state, references, users, place, codes and links.',
    'SPEC-8': 'stateStart is the start of the state, in ISO 8601 without a zone.',
    'SPEC-9': 'A receiver can be absent.',
    'SPEC-10': 'The pick up code of a swapped shipment and the delivery code of its swap are identical.',
    'SPEC-11': 'A shipment can swap a shipment, follow a prior one, or follow it circularly.',
  },
  Dimension: {
    'SPEC-12': 'The dimension is in centimetres, each side at least 1.',
    'SPEC-13': 'The dimension determines the size of the locker.',
  },
  'Shipment object': {
    'SPEC-14': 'An object has uid, reference, description, weight, count and dimension.',
  },
  Account: {
    'SPEC-15': 'userName is the e-mail address when it is not given.',
    'SPEC-16': 'phoneNumber is international, with + or 00.',
    'SPEC-17': 'languageCode has two letters, or two and two.',
    'SPEC-18': 'countryCode is one of ISO 3166-1 alpha-2.',
    'SPEC-19': 'An account has a main pick up point, by uid and name, and a mail code.',
    'SPEC-20': 'When canManageUser is false, all other fields are null.',
  },
  'Account mutation configuration': {
    'SPEC-21': 'There are nine permissions, each true, false or null.',
  },
  'States and transitions': {
    'SPEC-22': 'The states WaitForReceiver and ReadyForPickup exist, and a shipment can be ready for drop off.',
    'SPEC-23':
      'SetShipmentReceiver sets a missing receiver, or with removeReceiver (default false) removes one, before ReadyForPickup. Otherwise it is InvalidShipmentState.',
    'SPEC-24':
      'When the item of the intake of a circular pair is dropped off, the second shipment is ready for pick up.',
    'SPEC-25': 'The pick up of a swapped shipment is also the drop off of its swap.',
    'SPEC-26': 'CancelShipment cancels the shipment and releases its lockers.',
    'SPEC-27': 'SimulateLockerAccess with a valid code advances the shipment to its next state.',
    'SPEC-28':
      'UnlockShipmentLocker for DropOff or PickUp opens only when the shipment is ready for that. Otherwise it is UnlockNotAllowed.',
    'SPEC-29':
      'UnlockShipmentLocker without a goal opens in every state with a locker. Without one, or after the end, it is InvalidShipmentState.',
    'SPEC-30': 'Every change of the state sends a ShipmentStatusUpdate with the new state.',
  },
  Endpoints: {
    'SPEC-31': 'Each operation is a POST to its path under /v1/Logistics/ or /v1/Account/.',
    'SPEC-32': 'Each operation takes the listed fields, in its casing, and rejects a request without a required one.',
    'SPEC-33': 'Each operation returns the listed fields, in its casing.',
    'SPEC-34': 'Bodies are application/json, except for the upload.',
    'SPEC-35': 'Every response has success, error (code or null) and message (text or null).',
  },
  'Shipment creation': {
    'SPEC-36': 'CreateLocalShipment and CreateCollectOnlyShipment make exactly one shipment per call.',
    'SPEC-37':
      'Each flow operation makes the shipments of its row, with their users, details and links, and returns them as shipmentUids.',
    'SPEC-38': 'Without AllowLargerLockers nothing is booked when no locker of the fitting size is free.',
    'SPEC-39': 'With AllowOverflowLockers the booking may go to the overflow pick up point, if one is configured.',
    'SPEC-40': 'LockerUid may be left out or null, and otherwise is the uid of a locker.',
    'SPEC-41': 'Details has ReferenceNo, ReferenceCaseNo and Description, each text or null.',
  },
  CreateLocalShipment: {
    'SPEC-42': 'It makes a LocalPupShipment, which is dropped off and picked up at one pick up point.',
    'SPEC-43': 'One of FromUserUid and ToUserUid must be given.',
    'SPEC-44': 'With IsReceiverDelayed ToUserUid must not be set; it is set later.',
    'SPEC-45':
      'A swap without users, with a delayed receiver, comes from the receiver of the swapped shipment. SetShipmentReceiver names its own.',
  },
  'Flow-specific local operations': {
    'SPEC-46': 'A loan from stock without details has those of the stock shipment.',
  },
  CreateCollectOnlyShipment: {
    'SPEC-47':
      'It is collected by the given user, and by the dispatcher when none is given or in the variant AsCollectByDispatcher.',
    'SPEC-48': 'It is for a single collection, which ends it.',
    'SPEC-49': 'With KeepBookedAfterPickUp the locker stays booked without end.',
  },
  'Shipment management': {
    'SPEC-50': 'SetShipmentDetails overrides the three details.',
    'SPEC-51': 'All three details of SetShipmentDetails are mandatory; Description may be null.',
    'SPEC-52': 'AddShipmentObject attaches an object and returns its uid; shipmentUid and details are required.',
    'SPEC-53':
      'changePickUpAccess and changeDropOffAccess each create a new code, which GetShipmentAccessCode returns.',
    'SPEC-54': 'RemoveShipmentObject removes the object of a shipment; both uids are required.',
    'SPEC-55': 'SetShipmentReceiver needs toUserUid, which is ignored when removing.',
    'SPEC-56': 'caseReferenceNew overrides the case number if it is not null and a receiver is set.',
    'SPEC-57': 'SimulateLockerAccess exists in staging only.',
    'SPEC-58': 'unlockGoal of UnlockShipmentLocker is DropOff, PickUp, null or absent.',
    'SPEC-59': 'With an empty pinCode the locker opens without a check of the code.',
  },
  'Account management': {
    'SPEC-60': 'SetAccountDetails needs firstName and lastName both if either is given.',
    'SPEC-61': 'SetAccountDetails needs all five parts of an address if any is given.',
    'SPEC-62': 'SetAccountDetails changes what is given, and returns the account.',
    'SPEC-63': 'SetAccountPickUpPoint sets the default pick up point, and returns it and whether it changed.',
    'SPEC-64': 'SetAccountMutationConfig changes only flags that are not null, and returns all nine.',
    'SPEC-65': 'RemoveAccount removes accounts that the caller manages, and no others.',
    'SPEC-66': 'CreateAccount and CreateOrGetAccount need emailAddress, firstName, lastName and pickUpPointUid.',
    'SPEC-67': 'Both take a mutationConfig, an object or null, with the nine flags and no userUid.',
    'SPEC-68': 'CreateOrGetAccount tells by isExisting whether the account existed.',
    'SPEC-69':
      'CreateAccount creates an account if none has that user name or e-mail address, and fails when one has that user name.',
    'SPEC-70': 'CreateOrGetAccount returns the account of that e-mail address and, if given, user name.',
    'SPEC-71': 'CreateOrGetAccount creates the account if it does not exist.',
    'SPEC-72': 'The account of the given user name gets the given e-mail address.',
    'SPEC-73': 'If the caller cannot manage the account, its userUid is returned and all other fields are null.',
    'SPEC-74': 'An account that is created while its configuration cannot be applied is MutationConfigFailed.',
  },
  UploadAccountSuggestions: {
    'SPEC-75': 'The request is multipart/form-data with the mandatory parts data and file.',
    'SPEC-76': 'data is a JSON object with an optional reference. The default is the name of the file.',
    'SPEC-77': 'file is an .xls or .xlsx spreadsheet or a CSV with cells separated by ;, with the seven columns.',
    'SPEC-78': 'Only the most recent upload is active; earlier ones expire.',
    'SPEC-79': 'The data appears as suggestions in the search for accounts.',
    'SPEC-80': 'An upload creates no account.',
    'SPEC-81': 'Rows are identified by e-mail address.',
    'SPEC-82': 'errorLogs reports a phone number that is not international.',
    'SPEC-83': 'The response has reference, five counts, the time in UTC, and errorLogs with id and message.',
  },
  Authentication: {
    'SPEC-84': 'Every request needs the access token as a bearer token.',
    'SPEC-85':
      'A token request is a form to /connect/token: client_id, client_secret, grant_type client_credentials, scope integration_api.',
    'SPEC-86': 'The response has access_token, token_type bearer, and expires_in in whole seconds.',
    'SPEC-87': 'A token expires after these seconds, and a further request returns a new one.',
  },
  ShipmentStatusUpdate: {
    'SPEC-88': 'It is not sent for other changes than that of the state.',
    'SPEC-89': 'Its body has messageType and, in message, the fields of the table.',
    'SPEC-90': 'The HMAC of the callback covers message.shipmentUid.',
  },
  Errors: {
    'SPEC-91': 'An operation returns its declared codes, all of the table among them, and no others.',
    'SPEC-92': 'InvalidShipment: the shipment is unknown, or the caller may not manage it.',
    'SPEC-93': 'InvalidAccessCode: the given pinCode is wrong.',
    'SPEC-94': 'UnlockFailed: the locker did not open for another reason, such as its hardware.',
    'SPEC-95': 'InvalidUserUid: the user uid is absent or invalid.',
    'SPEC-96':
      'EmailAlreadyRegistered: also when the e-mail address of the given user name may not become the given one.',
    'SPEC-97': 'AccessDenied: another tenant manages the account, and GetAccount returns its uid.',
    'SPEC-98': 'InvalidPupUid: the pick up point is absent, invalid or unknown.',
    'SPEC-99': 'NoRequestData, NoRequestFile, MissingFile, InvalidImportType, InvalidHeader: the faults of an upload.',
  },
}
