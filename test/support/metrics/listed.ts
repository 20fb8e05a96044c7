import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../project/sources.ts'

const page = readFileSync(join(root, 'docs/reference/metrics-and-logs.md'), 'utf8')

/** The metrics of service, gateway and flows that the reference page lists. */
export const listed = Array.from(
  page.matchAll(/^\| `(lockerflow_\w+)` \| (\w+) \| (\w+) \| (.*?) \| (.*) \|$/gm),
  ([, name = '', kind = '', process = '', labels = '', meaning = '']) => ({
    ...{ name, kind, process, meaning },
    labels: Array.from(labels.matchAll(/`(\w+)`: /g), ([, label = '']) => label),
  }),
)

/** Those of Temporal's SDK. */
export const listedOfTemporal = Array.from(page.matchAll(/^\| `(temporal_\w+)` \|/gm), ([, name = '']) => name)
