// Builds the published packages from the source tree, checks and releases them. Commands and tests import this door.
export { buildPackages } from './build.ts'
export { type PackageSource, packages, root } from './catalogue.ts'
export { readWorkflow } from './environment.ts'
export { packPackages, type Tarball } from './pack.ts'
export { describeProvenance, findProvenanceFaults, readOrigin } from './provenance.ts'
export { toPublishOrder, writeChecksums, writeJobOutput, writeUploads } from './upload.ts'
export { applyChanges, copyVersioned } from './versions.ts'
export { workflowFiles } from './workflows.ts'
