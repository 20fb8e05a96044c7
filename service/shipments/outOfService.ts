import type { ExpressionBuilder } from 'kysely'
import { activeStates } from '#contract/terms'
import type { Tables } from '../store/tables.ts'

/**
 * Matches the active shipments of a tenant whose locker or pick up point is out of service. It begins with the few lockers and
 * pick up points that are, so its cost does not grow with the number of shipments.
 */
export function isOutOfService(tenantId: string) {
  return (eb: ExpressionBuilder<Tables, 'shipments'>) => {
    const own = eb.selectFrom('shipments as own').select('own.seq').where('own.tenant_id', '=', tenantId)
    const lockers = eb.selectFrom('lockers').select('lockers.locker_uid').where('out_of_service_since', 'is not', null)
    const points = eb
      .selectFrom('pick_up_points')
      .select('pick_up_points.pup_uid')
      .where('out_of_service_since', 'is not', null)
    return eb.and([
      eb('shipments.state_code', 'in', activeStates),
      eb(
        'shipments.seq',
        'in',
        own.where('own.locker_uid', 'in', lockers).union(own.where('own.pup_uid', 'in', points)),
      ),
    ])
  }
}
