// Builds the published packages from the source tree, checks and releases them. Commands and tests import this door.
export { buildPackages } from './build.ts'
export { type PackageSource, packages, root } from './catalogue.ts'
export { packPackages, type Tarball } from './pack.ts'
export { readProgram, shopPackages, writeShop } from './shop.ts'
export { findChangedSurfaces } from './surface.ts'
