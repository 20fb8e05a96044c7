// The quick suite, which `npm test` runs in at most eight minutes on two idle cores. `npm run test:all` runs every test.

/** All tests of a folder, those that are added later too. */
const all = (folder: string) => `test/${folder}/**/*.test.ts`

/** Single files of a folder. */
const files = (folder: string, names: string) =>
  names
    .trim()
    .split(/\s+/)
    .map(name => `test/${folder}/${name}.test.ts`)

/** Folders whose tests only `npm run test:all` runs. */
export const longFolders = ['bench', 'examples']

/** On the embedded store, or without a store. */
export const quick = [
  ...[
    'activities',
    'client',
    'conformance',
    'contract',
    'deploy',
    'flows',
    'fuzz',
    'gateway/codecServer',
    'model',
    'platform',
    'project',
    'replay',
    'service',
    'testing/cases',
    'testing/simulator',
    'testing/stack',
    'testing/story',
  ].map(all),
  ...files('attack', 'attack'),
  ...files(
    'cli',
    `brokenSenders call/call callbacks callbacks/localKey capabilities dev doctor documentation exitCodes
    command/printing fields/assign flow/outcome flow/status lockers person pipes proxy recordedPicture run
    sandbox/snapshots sandbox/stackEnvironment settings sandbox/stackVerbs simulate topology`,
  ),
  ...files('docs', 'changeLockers declareAFlow hardwareProtocol namedCommands patterns writeTestCases'),
  ...files(
    'gateway',
    `decisions/links errors flowApi/apiDocs flowApi/bodies flowApi/events flowApi/failures
    flowApi/limits flowApi/operations flowApi/ownFlows flowApi/publicMessages flowApi/results flowApi/scopes
    flowApi/settings flowApi/tokens forgeries headers outages receive receiver registration repeated settings signalledMessages
    signalLimit verify`,
  ),
  ...files('packages', 'githubWorkflows operationTypes'),
  ...files('testing', 'isolation service stories temporal/command temporal/download temporal/guard temporal/wheel'),
  ...files(
    'worker',
    `activityFailures bundle calendars health histories logger nexus/repeated nexus/tokens
    notificationSettings ownFlows proxy settings versioning/buildSettings versioning/routing versioning/sideBySide`,
  ),
  ...files(
    'workflows',
    `cleanUp completedByHand continueAsNew deadline flow/identity flow/issue flow/malformed flow/nullFields flow/start
    kinds/book/adopt kinds/book/outages kinds/book/reset kinds/book/retryAfter kinds/book/undo
    kinds/call/cancelShipment kinds/call/leaves kinds/call/onboardAccount kinds/everyKind kinds/run/perform
    kinds/run/undo kinds/wait/callbacks kinds/wait/hints kinds/wait/windows lockers/callbacks lockers/hintPolls
    blocks/blocks blocks/server lockers/polls lockers/shipments next notifications/ownFlow resets settle steps/planParts
    steps/workshop sweep/sweep timer undecodable updates/answer updates/answerWithStart updates/assignReceiver
    updates/cancel updates/decide updates/moveClock updates/release visibility/searchAttributes visibility/summaries`,
  ),
]

/** Files of the folders of `quick` that are too dear for it. */
export const notQuick = [
  all('service/store/postgres'),
  ...files('testing/cases', 'real runners'),
  ...files('client', 'concurrentCallers largeUpdates once outages unreplayable'),
  ...files('platform/codec', 'examples histories'),
  ...files('gateway/codecServer', 'process'),
  ...files('deploy/compose', 'image'),
  ...files('contract', 'openapi/clients'),
  ...files('flows', 'check/text hundredSteps priority'),
  ...files('platform/metrics', 'promtool scrape'),
  ...files('platform/telemetry', 'everyFlow metrics oneTrace sampling start traceLimit'),
  ...files('replay', 'exporting progress'),
  ...files(
    'service',
    `http/apiDocs/browser http/bodyRate http/overload http/traces outbox/fairness outbox/slowReceivers
    store/sqlite/checkpoints suggestions/fairness suggestions/limits tenancy/fairShares
    tenancy/timing`,
  ),
]

/** At the end, each in a process of its own. */
export const quickAlone = [
  ...files('platform/addresses', 'lookups'),
  ...files('service', 'outbox/delivery outbox/dnsRebinding'),
  ...files('platform/telemetry', 'environment sampler source'),
]

/** On PostgreSQL: where the stores can differ. */
export const quickPostgres = [
  ...files('service', 'textKey'),
  ...files('service/accounts', 'rules unicodeNames'),
  ...files('service/http', 'idempotency'),
  ...files('service/lockers', 'doorLeases lastLocker pinAttempts reserve'),
  ...files('service/operations/logistics', 'getShipments'),
  ...files('service/outbox', 'lanes leases presentStates queryPlans'),
  ...files('service/retention', 'batches clock'),
  ...files('service/shipments', 'lifecycle queryPlans'),
  ...files('service/store', 'migrations savepoint tables'),
  ...files(
    'service/store/postgres',
    `accessRemoval archive batchKills batchedBookings brokenDoors claims concurrentChanges
    doorConnections emptyStatistics growingOutbox keepAlive leasedCallbacks migrations pipelining preparedStatements processes
    replaceablePool reuse sharedLimits start`,
  ),
  ...files('service/suggestions', 'sweep upload'),
  ...files('service/topology', 'queryPlans'),
]
