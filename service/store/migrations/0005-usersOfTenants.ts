import type { Up } from './declaration.ts'

/**
 * The shipments of a user by tenant: otherwise PostgreSQL reads those of all tenants and drops the others', and how long
 * that takes tells a caller how many there are.
 */
export const usersOfTenants: Up = async db => {
  for (const column of ['from_user_uid', 'to_user_uid']) {
    await db.schema
      .createIndex(`shipments_by_tenant_id_${column}`)
      .on('shipments')
      .columns(['tenant_id', column])
      .execute()
  }
}
