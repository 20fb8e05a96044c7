// Builds the published packages from the source tree, checks and releases them. Commands and tests import this file.
export { buildPackages } from './build.ts'
export { readWorkflow } from './environment.ts'
export { nameErrorPages } from './errorPages.ts'
export { packPackages, type Tarball } from './pack.ts'
export { describeProvenance, findProvenanceFaults, readOrigin } from './provenance.ts'
export { type PackageSource, packages, root, workflowFiles } from './rolldown.config.ts'
export { toPublishOrder, writeChecksums, writeJobOutput, writeUploads } from './upload.ts'
export { applyChanges, copyVersioned } from './versions.ts'
