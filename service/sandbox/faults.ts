import type { Call } from '../call.ts'
import type { SqlBoolean } from '../store/tables.ts'

const noFaults = { mutationConfigFails: false, hardwareFails: false }

type Fault = keyof typeof noFaults
/** The faults that a tenant has switched on. */
export type SandboxFaults = Readonly<Record<Fault, boolean>>
/** Null and absent leave a fault unchanged. */
export type SandboxFaultsChange = Partial<Record<Fault, boolean | null | undefined>>

type Caller = Pick<Call, 'tx' | 'tenantId' | 'sandbox'>

/** Reads the faults of the caller's tenant. In production there are none, even if the store has some. */
export async function readFaults({ tx, tenantId, sandbox }: Caller): Promise<SandboxFaults> {
  if (!sandbox) return noFaults
  const row = await tx.selectFrom('sandbox_faults').selectAll().where('tenant_id', '=', tenantId).executeTakeFirst()
  if (row === undefined) return noFaults
  return { mutationConfigFails: row.mutation_config_fails === 1, hardwareFails: row.hardware_fails === 1 }
}

export async function changeFaults(caller: Caller, change: SandboxFaultsChange): Promise<SandboxFaults> {
  const current = await readFaults(caller)
  const faults = {
    mutationConfigFails: change.mutationConfigFails ?? current.mutationConfigFails,
    hardwareFails: change.hardwareFails ?? current.hardwareFails,
  }
  const { mutationConfigFails, hardwareFails } = change
  await caller.tx
    .insertInto('sandbox_faults')
    .values({
      tenant_id: caller.tenantId,
      mutation_config_fails: toSqlBoolean(faults.mutationConfigFails),
      hardware_fails: toSqlBoolean(faults.hardwareFails),
    })
    .onConflict(conflict =>
      conflict.column('tenant_id').doUpdateSet(eb => ({
        // Only the requested columns: a concurrent request may switch the other fault.
        tenant_id: eb.ref('excluded.tenant_id'),
        ...(mutationConfigFails != null && { mutation_config_fails: toSqlBoolean(mutationConfigFails) }),
        ...(hardwareFails != null && { hardware_fails: toSqlBoolean(hardwareFails) }),
      })),
    )
    .execute()
  return faults
}

function toSqlBoolean(value: boolean): SqlBoolean {
  return value ? 1 : 0
}
