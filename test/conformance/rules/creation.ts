import type { Rule } from '../rule.ts'
import { collectOnlyCreation } from './creation/collectOnly.ts'
import { flowCreation } from './creation/flows.ts'
import { generalCreation } from './creation/general.ts'
import { localCreation } from './creation/local.ts'

/** Shipment creation: general rules, CreateLocalShipment, the flow operations, collect only. */
export const creation: readonly Rule[] = [...generalCreation, ...localCreation, ...flowCreation, ...collectOnlyCreation]
