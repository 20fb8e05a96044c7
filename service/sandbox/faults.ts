import type { Call } from '../operations/call.ts'
import type { Flag } from '../store/tables.ts'

const none = { mutationConfigFails: false, hardwareFails: false }

type Fault = keyof typeof none
/** Which faults a tenant has switched on. */
export type FaultsInForce = Readonly<Record<Fault, boolean>>
/** Null and absent leave a fault as it is. */
export type FaultsWish = Partial<Record<Fault, boolean | null | undefined>>

type Caller = Pick<Call, 'tx' | 'tenantId' | 'sandbox'>

/** The faults of the caller; none in production, whatever the store says. */
export async function faultsInForce({ tx, tenantId, sandbox }: Caller): Promise<FaultsInForce> {
  if (!sandbox) return none
  const row = await tx.selectFrom('sandbox_faults').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst()
  if (row === undefined) return none
  return { mutationConfigFails: row.mutation_config_fails === 1, hardwareFails: row.hardware_fails === 1 }
}

/** Switches the caller's faults on and off. */
export async function changeFaults(caller: Caller, wish: FaultsWish): Promise<FaultsInForce> {
  const held = await faultsInForce(caller)
  const faults = {
    mutationConfigFails: wish.mutationConfigFails ?? held.mutationConfigFails,
    hardwareFails: wish.hardwareFails ?? held.hardwareFails,
  }
  const { mutationConfigFails, hardwareFails } = wish
  await caller.tx
    .insertInto('sandbox_faults')
    .values({
      tenant_id: caller.tenantId,
      mutation_config_fails: flag(faults.mutationConfigFails),
      hardware_fails: flag(faults.hardwareFails),
    })
    .onConflict(conflict =>
      conflict.column('tenant_id').doUpdateSet(eb => ({
        // Only what was asked for: another call may switch the other one.
        tenant_id: eb.ref('excluded.tenant_id'),
        ...(mutationConfigFails != null && { mutation_config_fails: flag(mutationConfigFails) }),
        ...(hardwareFails != null && { hardware_fails: flag(hardwareFails) }),
      })),
    )
    .execute()
  return faults
}

function flag(fails: boolean): Flag {
  return fails ? 1 : 0
}
