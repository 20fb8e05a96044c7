import type { Starter } from './starter.ts'
import { startWire, type Wire } from './wire.ts'

/** The wires between the parts of a stack. */
export interface Wires {
  /** From the service to the gateway. */
  readonly toGateway: Wire
  /** From the flows to the service. */
  readonly toService: Wire
  /** From the people at the lockers to the service. */
  readonly toLockers: Wire
}

/** Starts the wires before the parts, whose addresses are read at each request. */
export async function startWires(starter: Starter, service: () => string, gateway: () => string): Promise<Wires> {
  async function start(target: () => string): Promise<Wire> {
    const wire = await startWire(target)
    starter.add(() => wire.stop())
    return wire
  }
  return { toGateway: await start(gateway), toService: await start(service), toLockers: await start(service) }
}
