// What a sweep does: finding shipments that no flow looks after, cancelling them, or having them taken over.
export { adoptOrphan } from './adoptOrphan.ts'
export { cancelOrphan } from './cancelOrphan.ts'
export { findOrphans } from './orphans.ts'
