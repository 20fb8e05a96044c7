import { beginSignatureCheck, type Headers, type Verification } from '../../gateway/verify.ts'

/** All steps of a check of signatures. */
export function signatureFault(
  verification: Verification,
  headers: Headers,
  body: string,
  shipmentUid: string | undefined,
  now: number,
): string | undefined {
  const check = beginSignatureCheck(verification, headers, now)
  if (typeof check === 'string') return check
  check.update(Buffer.from(body))
  return check.bodyFault() ?? check.uidFault(shipmentUid)
}
