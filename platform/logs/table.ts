/** A log line on which an operator may have to act. Its id never changes, so that searches and alerts can rely on it. */
export interface LogEvent {
  readonly processes: readonly ('service' | 'gateway' | 'worker' | 'codec' | 'audit')[]
  readonly level: 'warn' | 'error'
  /** The message of the line. `…` stands for a part that the Temporal SDK or the system writes. */
  readonly text: string
  readonly meaning: string
  /** Links are relative to docs/reference. */
  readonly action: string
}

/** Every warning and error of the processes, by `logId`. */
export const logEvents = {
  'request-failed': {
    processes: ['service'],
    level: 'error',
    text: 'request failed',
    meaning: 'A defect: the caller received 500 with this `requestId`.',
    action: 'Report it with `err`. The transaction was rolled back, so the caller may repeat the request.',
  },
  'store-unavailable': {
    processes: ['service'],
    level: 'warn',
    text: 'request failed: service unavailable',
    meaning: 'The store is down or overloaded. Callers receive 503.',
    action: '[PostgreSQL unavailable](../how-to/on-call.md#postgresql-unavailable)',
  },
  'upload-not-stored': {
    processes: ['service'],
    level: 'warn',
    text: 'uploaded file not stored',
    meaning: 'The file could not be stored in the folder of temporary files. The caller received 503.',
    action: 'Read `err`: free up or repair the disk of the folder that `TMPDIR` names.',
  },
  'operation-refused': {
    processes: ['service'],
    level: 'warn',
    text: 'operation refused',
    meaning: 'A refusal with an internal cause, for example a mutation configuration that could not be stored.',
    action: 'Nothing if it is rare: the caller has the error code. Otherwise, read `err`.',
  },
  'requests-rejected': {
    processes: ['service'],
    level: 'warn',
    text: 'requests rejected: service overloaded',
    meaning:
      'The event loop or the store is slower than a limit of the settings: `reason` and `durationMs` say which. At most one line a second.',
    action: '[Service overloaded](../how-to/on-call.md#service-overloaded)',
  },
  'uploads-not-purged': {
    processes: ['service'],
    level: 'warn',
    text: 'expired uploads not purged',
    meaning: 'Old uploads could not be deleted. The service tries again.',
    action: 'Nothing, unless it lasts for hours: then the store refuses deletes, see `err`.',
  },
  'rows-not-purged': {
    processes: ['service'],
    level: 'warn',
    text: 'expired rows not purged',
    meaning:
      'The expired rows named in `rows` could not be deleted, only those of `tenantId` if it is set. The service tries again every five minutes.',
    action: 'Nothing, unless it lasts for hours: then the store refuses deletes, see `err`.',
  },
  'decisions-not-collected': {
    processes: ['audit'],
    level: 'warn',
    text: 'decisions not collected',
    meaning:
      'The decisions about flows of `tenantId` were not copied into the audit log. The process tries again after a minute.',
    action: '[Decisions are not collected](../how-to/on-call.md#decisions-are-not-collected)',
  },
  'store-not-measured': {
    processes: ['service'],
    level: 'warn',
    text: 'metrics of the store not read',
    meaning: 'The gauges of callbacks and lockers keep their last values, and `lockerflow_store_up` is 0.',
    action: '[PostgreSQL unavailable](../how-to/on-call.md#postgresql-unavailable)',
  },
  'decision-not-made': {
    processes: ['gateway'],
    level: 'warn',
    text: 'decision by link not made',
    meaning:
      'A person opened a link in a notification, and the flow or Temporal did not respond: `errorCode` says which. The page says that the link may be opened again.',
    action: '[Temporal unavailable](../how-to/on-call.md#temporal-unavailable)',
  },
  'flows-not-counted': {
    processes: ['gateway'],
    level: 'warn',
    text: 'flows not counted',
    meaning: 'Temporal did not return the counts of flows or pollers, so these gauges are NaN.',
    action:
      '[Temporal unavailable](../how-to/on-call.md#temporal-unavailable). If `reason` is a permission, allow the gateway to read the namespace.',
  },
  'topology-secrets-ignored': {
    processes: ['service'],
    level: 'warn',
    text: 'client secrets of the topology ignored',
    meaning:
      'The clients command removed these clients or changed their secrets ([D-154](../explanation/decisions/sign-in.md#d-154)).',
    action: 'Remove the secrets of `clientIds` from the topology file.',
  },
  'topology-entries-ignored': {
    processes: ['service'],
    level: 'warn',
    text: 'retired entries of the topology ignored',
    meaning:
      'The topology file names entries of `pupUids` that `lockerflow topology` has retired or removed ([D-215](../explanation/decisions/lockers.md#d-215)).',
    action:
      'Remove them from the file that the service starts with, or run `lockerflow topology apply` with that file to restore them.',
  },
  'door-not-opened': {
    processes: ['service'],
    level: 'warn',
    text: 'locker door failed to open',
    meaning: 'The hardware reported a failure. `timedOut` is true if it did not respond within the time limit.',
    action:
      'If the same `lockerUid` appears repeatedly, send a technician and take the locker out of service with `lockerflow lockers`. If many lockers of one pick up point appear, check its connection.',
  },
  'door-forced': {
    processes: ['service'],
    level: 'warn',
    text: 'locker door forced',
    meaning: 'A door opened without a request, by a key or by force.',
    action: '[A door that was forced](../how-to/connect-lockers.md#when-a-door-does-not-work)',
  },
  'door-broken': {
    processes: ['service'],
    level: 'warn',
    text: 'locker door broken',
    meaning: 'An adapter reported a door that does not work.',
    action: '[A door that does not work](../how-to/connect-lockers.md#when-a-door-does-not-work)',
  },
  'door-offline': {
    processes: ['service'],
    level: 'warn',
    text: 'locker door offline',
    meaning: 'An adapter has lost a door; `suppressed` counts further doors of the adapter.',
    action: 'Check the connection between the adapter and the pick up point.',
  },
  'door-opened-late': {
    processes: ['service'],
    level: 'warn',
    text: 'locker door opened late',
    meaning:
      'A door opened after its caller received UnlockFailed ([D-223](../explanation/decisions/hardware.md#d-223)). The shipment kept its state.',
    action: '[A door that opened late](../how-to/connect-lockers.md#when-a-door-does-not-work)',
  },
  'door-not-read': {
    processes: ['service'],
    level: 'warn',
    text: 'locker door not read',
    meaning: 'After an unsuccessful opening, the adapter did not report the state of the door either.',
    action: 'Check that the adapter runs and that the service reaches it.',
  },
  'adapter-unavailable': {
    processes: ['service'],
    level: 'warn',
    text: 'hardware adapter unavailable',
    meaning:
      'An adapter returned no valid response: `err` says why. `/health/ready` lists `hardware`. `adapter` is its name, and absent for the adapter of `LOCKERFLOW_HARDWARE_URL`.',
    action: '[Doors do not open](../how-to/on-call.md#doors-do-not-open)',
  },
  'hardware-event-rejected': {
    processes: ['service'],
    level: 'warn',
    text: 'hardware event rejected',
    meaning:
      'An event of a door has no valid signature: `reason` says why. The adapter has another key, a clock is more than 15 minutes off, or a sender without the key floods the path.',
    action: 'Compare the keys and the clocks; otherwise block the sender at the proxy.',
  },
  'callback-not-delivered': {
    processes: ['service'],
    level: 'warn',
    text: 'callback delivery failed',
    meaning:
      'The receiver did not accept a callback. One is harmless; many mean that the receiver is down or has another key (401).',
    action: '[Stuck callback](../how-to/on-call.md#stuck-callback)',
  },
  'callback-given-up': {
    processes: ['service'],
    level: 'error',
    text: 'callback given up',
    meaning:
      'A callback failed at the age limit ([D-110](../explanation/decisions/callbacks.md#d-110)). Only a command sends it again.',
    action: '[Stuck callback](../how-to/on-call.md#stuck-callback)',
  },
  'callbacks-given-up': {
    processes: ['service'],
    level: 'error',
    text: 'callbacks given up wait to be sent again',
    meaning:
      'Logged at the start and once an hour, for each tenant with callbacks that were given up. `count` is their number.',
    action: '[Stuck callback](../how-to/on-call.md#stuck-callback)',
  },
  'delivery-not-recorded': {
    processes: ['service'],
    level: 'error',
    text: 'callback delivery not recorded',
    meaning: 'The store failed after a delivery. The callback is delivered again.',
    action:
      '[PostgreSQL unavailable](../how-to/on-call.md#postgresql-unavailable). The receiver ignores the repetition.',
  },
  'data-key-not-readable': {
    processes: ['service'],
    level: 'error',
    text: 'data key not readable',
    meaning:
      'A rotation made a data key that this process cannot decrypt. The process answers 503 ([D-182](../explanation/decisions/secrets.md#d-182)).',
    action: 'Give the process the same `LOCKERFLOW_STORE_KEYS` as the `secrets` command, and restart it.',
  },
  'callbacks-not-read': {
    processes: ['service'],
    level: 'error',
    text: 'callbacks not read: store unavailable',
    meaning: 'The store is down. Delivery continues when it is back.',
    action: '[PostgreSQL unavailable](../how-to/on-call.md#postgresql-unavailable)',
  },
  'retries-not-recalled': {
    processes: ['service'],
    level: 'warn',
    text: 'callback retries not recalled',
    meaning:
      'A clock was set back, so the retries of a tenant are later than any backoff, and the store failed to make them due. The service tries again.',
    action: 'If it continues, see `err`. Callbacks of other tenants are delivered meanwhile.',
  },
  'given-up-not-counted': {
    processes: ['service'],
    level: 'warn',
    text: 'callbacks given up not counted',
    meaning:
      'The hourly count of callbacks that were given up failed, or exceeded `LOCKERFLOW_STATEMENT_TIMEOUT`. The service tries again after five minutes.',
    action:
      'If it continues, list them with `lockerflow callbacks list --dead`, and send them again or correct the receiver.',
  },
  'temporal-unavailable': {
    processes: ['gateway'],
    level: 'error',
    text: 'Temporal unavailable',
    meaning: 'The gateway answers 503 and is not ready. `reason` says why: unreachable, namespace, permission.',
    action: '[Temporal unavailable](../how-to/on-call.md#temporal-unavailable)',
  },
  'registration-failed': {
    processes: ['gateway'],
    level: 'warn',
    text: 'callback registration failed',
    meaning:
      'The gateway is not ready and tries again. `SignInFailed` means a wrong secret, or a service that is down. `UnknownOperation` means a wrong address, or a service without ConfigureCallback.',
    action:
      'Correct `LOCKERFLOW_CLIENT_SECRET` of the gateway, or start the service, or see [use another service](../how-to/use-another-service.md#callbacks).',
  },
  'outages-not-read': {
    processes: ['gateway'],
    level: 'warn',
    text: 'lockers out of service not read',
    meaning: 'The gateway could not read the shipments at lockers out of service. It tries again after 15 seconds.',
    action: 'Start the service, or see `reason`. Until then, flows detect a broken locker at their next poll.',
  },
  'callback-rejected': {
    processes: ['gateway'],
    level: 'warn',
    text: 'callback rejected',
    meaning: 'No repetition of this callback can succeed, see `reason`. Nothing else records the callback.',
    action:
      'Compare `shipmentUid` with its flow, which reads the state at its next poll. Report `reason` to the team of the service.',
  },
  'callback-signature': {
    processes: ['gateway'],
    level: 'warn',
    text: 'callback signature invalid',
    meaning:
      'The service has another key, a clock is wrong by more than fifteen minutes, or a stranger sends callbacks.',
    action:
      'Compare the [callback keys](../how-to/operate.md#keys-and-secrets), then the clocks. Otherwise block the sender at the proxy.',
  },
  'callback-limited': {
    processes: ['gateway'],
    level: 'warn',
    text: 'callback rate limited',
    meaning:
      'A case gets more signals than a flow can need: 60 at once, then two a minute ([D-141](../explanation/decisions/orchestration.md#d-141)). Or Temporal accepts no more for its run ([D-481](../explanation/decisions/orchestration.md#d-481)), or none for a second while the flow ends. `reason` says which.',
    action: 'Find out why the service sends so many callbacks. The last state still arrives, but late.',
  },
  'callback-unavailable': {
    processes: ['gateway'],
    level: 'error',
    text: 'callback not signalled',
    meaning: 'Temporal did not accept the signal. The service repeats the callback.',
    action: '[Temporal unavailable](../how-to/on-call.md#temporal-unavailable)',
  },
  'callback-failed': {
    processes: ['gateway'],
    level: 'error',
    text: 'callback not processed',
    meaning:
      'A defect: the service received 500 with this `requestId`, and repeats the callback. A receiver in your own server has no `requestId`, and closes the connection.',
    action: 'Report it with `err`.',
  },
  'callback-body-parsed': {
    processes: ['gateway'],
    level: 'error',
    text: 'callback not received: its body was already parsed',
    meaning: 'The server that contains the receiver reads the body first, so no signature can be verified.',
    action: 'Register the receiver before the body parser, see [receive callbacks](../how-to/receive-callbacks.md).',
  },
  'flow-api-request-failed': {
    processes: ['gateway'],
    level: 'error',
    text: 'request of a caller failed',
    meaning: 'A defect: the caller of a flow over HTTP received 500 with this `requestId`.',
    action: '[Callers of flows over HTTP fail](../how-to/on-call.md#callers-of-flows-over-http-fail)',
  },
  'flow-api-keys-unavailable': {
    processes: ['gateway'],
    level: 'warn',
    text: 'keys of access tokens not read',
    meaning: 'The issuer does not respond, so callers of flows over HTTP with a new token receive 503.',
    action: '[Callers of flows over HTTP fail](../how-to/on-call.md#callers-of-flows-over-http-fail)',
  },
  'telemetry-not-exported': {
    processes: ['service', 'gateway', 'worker'],
    level: 'warn',
    text: 'telemetry not exported',
    meaning:
      'The collector of OpenTelemetry does not accept traces or metrics, see `reason`. Nothing else is affected.',
    action: 'Start the collector, or correct `OTEL_EXPORTER_OTLP_ENDPOINT` and its headers.',
  },
  'flow-warning': {
    processes: ['worker'],
    level: 'warn',
    text: 'flow not fully checked',
    meaning: 'One of your own flows has more situations than the check of its ways explores; `reason` names the flow.',
    action:
      'Divide the flow, or cover its ways with test cases, see [run your own flows](../how-to/run-your-own-flows.md).',
  },
  'worker-not-ready': {
    processes: ['worker'],
    level: 'warn',
    text: 'worker not ready',
    meaning: 'The worker gets no work: `reason` says why. The worker tries again by itself.',
    action: '[No worker polls](../how-to/on-call.md#no-worker-polls)',
  },
  'unhandled-rejection': {
    processes: ['worker'],
    level: 'error',
    text: 'promise rejected without a handler',
    meaning: 'Code in the worker, for example an activity of your own, did not await a promise. The worker goes on.',
    action: 'Read the stack in `err`, and await or catch the promise. Report a stack without code of your own.',
  },
  'activity-failed': {
    processes: ['worker'],
    level: 'warn',
    text: 'Activity failed',
    meaning: 'A call to the service failed with `errorCode`. Temporal retries it unless the error is final.',
    action:
      'Look `errorCode` up in [errors](errors.md). `SignInFailed` with 401: correct the client secret and restart the worker.',
  },
  'flow-failed': {
    processes: ['worker'],
    level: 'warn',
    text: 'Workflow failed',
    meaning: 'A flow failed with `errorCode`.',
    action: '[Failed flow](../how-to/on-call.md#failed-flow)',
  },
  'workflow-task-failed': {
    processes: ['worker'],
    level: 'warn',
    text: 'Failing workflow task',
    meaning:
      'A flow cannot continue with the code of this worker: `runId` names its run, and `err` says why. Temporal retries the task, and the retries are not logged.',
    action:
      '[A flow does not replay](../how-to/on-call.md#a-flow-does-not-replay). A single line after the process was suspended is harmless.',
  },
  'temporal-sdk': {
    processes: ['worker'],
    level: 'warn',
    text: '…',
    meaning: "Any other line of Temporal's SDK, for example a lost connection.",
    action:
      'Nothing if it stops by itself within a minute. Otherwise see [Temporal unavailable](../how-to/on-call.md#temporal-unavailable).',
  },
  'codec-request-failed': {
    processes: ['codec'],
    level: 'error',
    text: 'request of the codec server failed',
    meaning: 'A defect: the caller received 500 with this `requestId`, and decoded nothing.',
    action: 'Report it with `err`.',
  },
  'codec-sign-in-failed': {
    processes: ['codec'],
    level: 'warn',
    text: 'codec sign-in failed',
    meaning:
      'A call to the codec server from `ip` without valid credentials; `suppressed` counts further calls from the address since its last line.',
    action:
      'Many calls from one address are guesses: block the address at the proxy. See [encrypt histories](../how-to/encrypt-histories.md#the-codec-server).',
  },
  'codec-key-store-unavailable': {
    processes: ['codec'],
    level: 'warn',
    text: 'store of the keys of persons not read',
    meaning:
      'A health check found that the store of `LOCKERFLOW_PERSONAL_KEYS_URL` does not respond: `reason` says why. The codec server is not ready.',
    action:
      'Correct the address, or wait for the database. See [encrypt histories](../how-to/encrypt-histories.md#the-codec-server).',
  },
  'codec-issuer-keys-unavailable': {
    processes: ['codec'],
    level: 'warn',
    text: 'keys of the issuer not read',
    meaning:
      'The address of `LOCKERFLOW_CODEC_JWKS_URL` does not respond with keys, so callers with a token of the issuer receive 503; `err` says why.',
    action:
      'Correct the address, or wait for the issuer. See [encrypt histories](../how-to/encrypt-histories.md#the-codec-server).',
  },
} as const satisfies Readonly<Record<string, LogEvent>>

export type LogId = keyof typeof logEvents

/** The lines of level info, which need no action, and their meaning. */
export const informationLines: Readonly<Record<string, string>> = {
  request:
    'One line per request. `errorCode` is set for failures and refusals. Callbacks and requests to the codec server have a line for errors only, at most one in ten seconds per status; `suppressed` counts the others.',
  'callback received':
    '`outcome` is signalled, noFlow or repeated ([D-088](../explanation/decisions/orchestration.md#d-088)).',
  'decision by link':
    '`outcome` is decided, used or late ([decide by link](../how-to/decide-by-link.md#effects-of-a-page)). `link` is the id of the link, as in the history of the flow.',
  'decisions collected': '`added` decisions about flows were copied into the audit log.',
  'expired rows purged': 'The retention deleted this many rows of each kind.',
  'callback address registered': 'The service sends its callbacks to this gateway.',
  'callback address is registered by a person':
    'The gateway registers nothing, as `LOCKERFLOW_CALLBACK_REGISTRATION` says. `url` is the address to register.',
  'flow notified of its locker': 'A flow was notified that its locker is out of service, or works again.',
  'codec called': '`user` decrypted payloads, or encrypted them if `path` is /encode.',
  'hardware adapter available': 'An adapter responds again.',
  'Temporal available': 'Signals are accepted again.',
}
