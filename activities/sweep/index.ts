// The activities of a sweep: finding shipments without a running flow, cancelling them, or adopting them.
export { adoptOrphan } from './adoptOrphan.ts'
export { cancelOrphan } from './cancelOrphan.ts'
export { findOrphans } from './orphans.ts'
