import type { Rule } from '../../rule.ts'

/** The decisions on production. */
export const productionDecisions: readonly Rule[] = [
  {
    section: 'D-161 A process without an environment',
    rule: 'Without LOCKERFLOW_ENVIRONMENT the processes listen on loopback only.',
    heldBy: [
      'test/contract/settings.test.ts > the address to listen on',
      'test/service/environment.test.ts > without variables it is staging with the demonstration topology, on loopback',
      'test/gateway/environment.test.ts > settings > have defaults in staging',
      'test/worker/health.test.ts > a worker listens on loopback only, unless its environment is named',
    ],
  },
  {
    section: 'D-161 A process without an environment',
    rule: 'Production has no default for store, addresses, topology and credentials.',
    heldBy: [
      'test/contract/settings.test.ts > production > has no default address and no default credentials',
      'test/service/environment.test.ts > production names every setting that is missing',
      'test/gateway/environment.test.ts > the callback key > is required in production',
    ],
  },
  {
    section: 'D-162 Wrong settings',
    rule: 'One message names every setting that is missing or wrong, with the faults of the files that settings name.',
    heldBy: [
      'test/contract/settings.test.ts > one message names every wrong setting, once',
      'test/cli/checkTogether.test.ts > the settings of the process %s > that are missing or wrong in %s are told in one message',
      'test/worker/startup.test.ts > a worker process > tells its wrong variables and the faults of its files in one message',
      'test/gateway/environment.test.ts > settings > that are wrong are named together',
    ],
  },
  {
    section: 'D-163 Secrets in files',
    rule: 'A secret may come from a file, and in production not from the documentation.',
    heldBy: [
      'test/contract/settings.test.ts > a secret from a file',
      'test/contract/settings.test.ts > production > refuses the public secret %s',
      'test/gateway/environment.test.ts > settings > take the key of Temporal from a file',
    ],
  },
  {
    section: 'D-164 Plain http',
    rule: 'In production http is for private hosts only.',
    heldBy: [
      'test/contract/settings.test.ts > production > refuses %s',
      'test/contract/settings.test.ts > production > allows %s, inside a private network',
      'test/addresses/addresses.test.ts > a host',
    ],
  },
  {
    section: 'D-165 HTTP headers',
    rule: 'Every response has the headers, and the page and the document can be closed.',
    heldBy: [
      'test/service/http/headers.test.ts',
      'test/gateway/headers.test.ts',
      'test/gateway/flowApi/apiDocs.test.ts > neither the page nor the document is served if the setting closes them',
    ],
  },
  {
    section: 'D-230 Metrics from one table',
    rule: 'Scrapes, alerts, dashboards and the page name the metrics of the table, and no others.',
    heldBy: ['test/metrics/scrape.test.ts', 'test/metrics/names.test.ts'],
  },
  {
    section: 'D-477 Kubernetes manifests',
    rule: 'The manifests are valid and restricted, have the settings of production, and a build has one id in all places.',
    heldBy: [
      'test/kubernetes/manifests.test.ts > %s is valid, and its pods are restricted',
      'test/kubernetes/manifests.test.ts > %s > has all settings of production',
      'test/kubernetes/manifests.test.ts > a build of the workers > has its id in the label, the name, the image and the promotion',
    ],
  },
  {
    section: 'D-231 Labels',
    rule: 'Labels are bounded, and name no tenant, case or person.',
    heldBy: [
      'test/metrics/scrape.test.ts > no access code, token, secret or personal field is in > a metric of the %s',
      'test/metrics/scrape.test.ts > no access code, token, secret or personal field is in > a log line',
      'test/service/metrics/gauges.test.ts > pick up points beyond the bound are added up',
    ],
  },
  {
    section: 'D-232 Gauges that cost a query',
    rule: 'Scrapes cause no query.',
    heldBy: ['test/metrics/instruments.test.ts > scrapes read the last measurement'],
  },
  {
    section: 'D-233 Address of metrics',
    rule: 'Metrics listen on loopback, unless an address is set.',
    heldBy: ['test/telemetry/metrics.test.ts'],
  },
  {
    section: 'D-234 Ids of log lines',
    rule: 'Every warning and error has an id of the table.',
    heldBy: ['test/logs/table.test.ts'],
  },
  {
    section: 'D-166 Files with secrets',
    rule: 'Only the owner can read the store and the callback key.',
    heldBy: [
      'test/service/store/sqlite/open.test.ts > only the owner can read the files of a store, and a folder that it creates',
      'test/service/store/sqlite/open.test.ts > files that others may read are closed to them, and a shared folder stays as it is',
      'test/gateway/environment.test.ts > the callback key > is generated once in staging, readable by its owner only',
      'test/gateway/environment.test.ts > the callback key > that others may read is closed to them',
    ],
  },
  {
    section: 'D-401 TLS to Temporal',
    rule: 'An API key needs TLS, and in production a public host needs it.',
    heldBy: [
      'test/gateway/environment.test.ts > settings > send no API key where %s switches TLS off',
      'test/gateway/environment.test.ts > settings > of Temporal in production > refuse %s without TLS',
      'test/gateway/environment.test.ts > settings > of Temporal in production > allow %s without TLS, inside a private network',
    ],
  },
  {
    section: 'D-447 Proxies of the environment',
    rule: 'A worker connects to a remote Temporal through the proxy of the environment, and calls of the service do with NODE_USE_ENV_PROXY=1.',
    heldBy: [
      'test/worker/proxy.test.ts > %j at %s connects through %j',
      'test/worker/proxy.test.ts > a worker connects to a remote Temporal through the proxy',
      'test/api/proxy.test.ts',
    ],
  },
]
