/** Fields of responses that no history may contain, on any level: a call step has no output of these names. */
export const secretFields = ['authKey', 'pickUpCode', 'deliveryCode'] as const
