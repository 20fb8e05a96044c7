import type { Rule } from '../../rule.ts'

/** The decisions on secrets in the store. */
export const secretDecisions: readonly Rule[] = [
  {
    section: 'D-180 Secrets in the store',
    rule: 'The store contains no signing key, callback key or access code in clear.',
    heldBy: [
      'test/service/encryption/atRest.test.ts > the store contains no signing key, callback key or access code in clear',
      'test/service/encryption/atRest.test.ts > a value decrypts for its row, column and store only',
      'test/service/encryption/atRest.test.ts > a service with other keys does not start, and names the key that it needs',
    ],
  },
  {
    section: 'D-180 Secrets in the store',
    rule: 'Production requires keys; staging makes one; code can give a key management service.',
    heldBy: [
      'test/service/environment.test.ts > production names every setting that is missing',
      'test/service/encryption/atRest.test.ts > staging makes a key beside an embedded store, which only the owner can read',
      'test/service/encryption/atRest.test.ts > a key management service encrypts the data keys, and is not called by requests',
    ],
  },
  {
    section: 'D-181 Key-encryption keys change',
    rule: 'Services restart with a new key one after the other, and refuse no call.',
    heldBy: ['test/service/encryption/rotation.test.ts > key-encryption keys and the data key change under load'],
  },
  {
    section: 'D-182 The data key changes while services run',
    rule: 'A rotation under load refuses no call, loses no callback, and leaves nothing under the old data key.',
    heldBy: [
      'test/service/encryption/rotation.test.ts > key-encryption keys and the data key change under load',
      'test/service/encryption/rotation.test.ts > a process without the new key answers 503 instead of writing under the old data key',
    ],
  },
  {
    section: 'D-183 Access codes',
    rule: 'A code is unique at its pick up point, during a rotation too.',
    heldBy: [
      'test/service/encryption/rotation.test.ts > during a rotation a code is free only if its hashes under both data keys are',
      'test/service/lockers/accessCodes.test.ts',
    ],
  },
  {
    section: 'D-184 TLS to PostgreSQL',
    rule: 'Production verifies the certificate of PostgreSQL, unless the settings leave it to the URL.',
    heldBy: [
      'test/service/environment.test.ts > production connects to PostgreSQL by TLS with a verified certificate, unless the settings say otherwise',
      'test/service/store/postgres/tls.test.ts > TLS to PostgreSQL',
      'test/service/store/postgres/copy.test.ts > the connection to PostgreSQL follows the settings of TLS',
    ],
  },
  {
    section: 'D-185 The process that reads a spreadsheet',
    rule: 'The parser is pinned by its checksum, and its process has access to its code only.',
    heldBy: [
      'test/cli/sbom.test.ts > the parser of spreadsheets is the reviewed archive',
      'test/service/suggestions/permissions.test.ts > the process that reads a file has access to the code that reads it, and to nothing else',
      'test/service/suggestions/permissions.test.ts > the process that reads a file fails to read, write, start or connect to anything else',
    ],
  },
  {
    section: 'D-186 Supply chain',
    rule: 'Commands list the packages of the image with checksum and licence, and pin images by digest; every image of others has one; containers have least privilege; workflows pin actions by commit; the job that uploads a release installs nothing.',
    heldBy: [
      'test/cli/images.test.ts > every image of others has a digest',
      'test/release/githubWorkflows.test.ts > the actions of %s are pinned by commit, and leave no credentials in the clone',
      'test/release/githubWorkflows.test.ts > the job that may upload > runs no tests, installs nothing and builds nothing',
      'test/release/publishing.test.ts > the upload > publishes nothing if %s',
      'test/cli/images.test.ts > pin writes the digest of every image of others, and check finds a tag that has moved',
      'test/cli/images.test.ts > pin changes no file if one image has no digest',
      'test/cli/sbom.test.ts > the command writes every package of the image with its checksum, and its licence',
      'test/cli/sbom.test.ts > every package of the lockfile comes from the registry and has a checksum',
      'test/compose/config.test.ts > %s > runs with least privilege: a read-only root file system, no capabilities, time to stop',
      'test/compose/config.test.ts > the Web UI alone can write to its root file system',
      'test/compose/config.test.ts > all Temporal images have one version',
    ],
  },
  {
    section: 'D-255 Length of the hashes of access codes',
    rule: 'The hash of an access code is the beginning of its HMAC-SHA256.',
    heldBy: ['test/service/encryption/hashes.test.ts'],
  },
]
