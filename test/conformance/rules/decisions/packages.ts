import type { Rule } from '../../rule.ts'

/** The decisions on the published packages. */
export const packageDecisions: readonly Rule[] = [
  {
    section: 'D-350 Packages from one source tree',
    rule: 'The packages contain what their entries need, and nothing else.',
    heldBy: ['test/release/contents.test.ts'],
  },
  {
    section: 'D-351 Plain types in the client',
    rule: 'The interfaces of requests and responses agree with the types that zod infers.',
    heldBy: ['test/release/operationTypes.test.ts'],
  },
  {
    section: "D-352 Temporal's client is a peer",
    rule: "The client imports nothing but the caller's copy of @temporalio/client and Node.",
    heldBy: ['test/release/contents.test.ts > @lockerflow/client > imports Temporal and Node only'],
  },
  {
    section: 'D-353 The prebuilt workflow bundle',
    rule: 'The installed package runs a worker, and books a flow.',
    heldBy: ['test/release/installed.test.ts > the pages of the packages run in an empty folder, on every Node'],
  },
  {
    section: 'D-354 A report of the public surface',
    rule: 'The committed report is the surface of the build.',
    heldBy: ['test/release/contents.test.ts > the public surface is the reported one'],
  },
  {
    section: 'D-355 A plugin for workers of other teams',
    rule: 'A worker of another team runs its own workflows and the flows.',
    heldBy: [
      'test/worker/plugin.test.ts',
      'test/release/installed.test.ts > the entries of workers, gateways and test cases run',
    ],
  },
  {
    section: 'D-356 A package for callers of the service',
    rule: 'The client of the operations and the contract load neither Temporal nor the parts of the service.',
    heldBy: [
      'test/release/contents.test.ts > callers of the service load neither Temporal nor the parts of the service',
      'test/release/installed.test.ts > the packages of callers are few',
    ],
  },
  {
    section: 'D-360 Addresses of error pages lead into the installed package',
    rule: 'The address in a message is that of a page in the installed package.',
    heldBy: [
      'test/release/installed.test.ts > messages have the address of a page that the installed package has',
      'test/release/contents.test.ts > @lockerflow/client > has a page with the codes of its own errors',
    ],
  },
  {
    section: 'D-361 Older versions of Node test against a running service',
    rule: 'Node 20.19, 22 and 24 play the people of a running service, and older ones name the Node that a service needs.',
    heldBy: [
      'test/release/installed.test.ts > the pages of the packages run in an empty folder, on every Node',
      'test/release/olderNodes.test.ts',
    ],
  },
  {
    section: 'D-364 A dry run writes its provenance without a signature',
    rule: 'The statement has the hashes of packages, commit and lockfile, and a release without its repository is refused.',
    heldBy: [
      'test/release/publishing.test.ts > the provenance names the packages, the commit and the lockfile by their hashes',
      'test/release/publishing.test.ts > a release outside of the repository of its manifests, or of a workflow, is refused before the build',
    ],
  },
  {
    section: 'D-365 Examples import the packages',
    rule: 'The examples in TypeScript import packages, and run with the installed ones.',
    heldBy: [
      'test/examples/sources.test.ts > %s: an example imports packages and its own files',
      'test/release/examplesByNpm.test.ts',
      'test/release/installedExamples.test.ts',
    ],
  },
  {
    section: "D-384 Histories are converted by the protobufjs of Temporal's messages",
    rule: 'Histories are recorded and replayed from an installation with several copies of protobufjs.',
    heldBy: [
      'test/worker/histories.test.ts',
      'test/release/installed.test.ts > histories are recorded and replayed with several copies of protobufjs',
    ],
  },
]
