const none = { mutationConfigFails: false, hardwareFails: false }

type Fault = keyof typeof none
/** Which faults a tenant has switched on. */
type FaultsInForce = Readonly<Record<Fault, boolean>>

/** The faults of every tenant; a restart of the process switches all of them off. */
export interface Faults {
  of(tenantId: string): FaultsInForce
  /** Null and absent leave a fault as it is. */
  change(tenantId: string, wish: Partial<Record<Fault, boolean | null | undefined>>): FaultsInForce
}

/** No faults, until somebody switches one on. */
export function createFaults(): Faults {
  const inForce = new Map<string, FaultsInForce>()
  const of = (tenantId: string): FaultsInForce => inForce.get(tenantId) ?? none
  return {
    of,
    change(tenantId, wish) {
      const held = of(tenantId)
      const faults = {
        mutationConfigFails: wish.mutationConfigFails ?? held.mutationConfigFails,
        hardwareFails: wish.hardwareFails ?? held.hardwareFails,
      }
      inForce.set(tenantId, faults)
      return faults
    },
  }
}
