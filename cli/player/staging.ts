import { type Api, ApiFault, ApiRefusal } from '#api'
import type { ErrorCode } from '#contract/terms'

const unknownOperation: ErrorCode = 'UnknownOperation'

/**
 * True for a service in staging, which has simulated lockers and refuses a pick up point without a name. A service in
 * production does not have the operation.
 * @throws ApiFault when the service does not respond or denies access
 */
export async function isStaging(api: Api): Promise<boolean> {
  try {
    await api.call('SimulateLockerAccess', { pupUid: 'none', lockerName: 'none', pinCode: '000000' })
  } catch (error) {
    if (error instanceof ApiFault && error.code === unknownOperation) return false
    if (!(error instanceof ApiRefusal)) throw error
    return error.code !== unknownOperation
  }
  return true
}
