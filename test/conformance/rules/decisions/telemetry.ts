import type { Rule } from '../../rule.ts'

/** The decisions on telemetry. */
export const telemetryDecisions: readonly Rule[] = [
  {
    section: 'D-240 When telemetry is on',
    rule: 'Telemetry is off, and its packages are not loaded, unless a variable names an endpoint or an exporter.',
    heldBy: [
      'test/telemetry/environment.test.ts > telemetry with %s',
      'test/telemetry/start.test.ts > a process loads OpenTelemetry if a variable switches it on, and not otherwise',
    ],
  },
  {
    section: 'D-241 Workflows record spans through their worker',
    rule: 'A booking is one trace, and histories replay with and without tracing.',
    heldBy: [
      'test/telemetry/oneTrace.test.ts > a booking is one trace from its starter to the signal of its callback',
      'test/telemetry/everyFlow.test.ts > the recorded histories replay with tracing on',
      'test/telemetry/everyFlow.test.ts > with traces > a history has no more events than without, and replays with tracing on',
    ],
  },
  {
    section: 'D-242 Whose trace context is continued',
    rule: 'The service continues the trace context of authenticated callers, unless the setting says otherwise.',
    heldBy: ['test/service/http/traces.test.ts > the span of a request'],
  },
  {
    section: 'D-242 Whose trace context is continued',
    rule: 'The gateway records spans for verified callbacks only.',
    heldBy: ['test/gateway/traces.test.ts'],
  },
  {
    section: 'D-243 Contents of spans',
    rule: 'Spans have the declared attributes, and no personal data, access code, token or secret.',
    heldBy: ['test/telemetry/everyFlow.test.ts > no exported span'],
  },
  {
    section: 'D-244 The trace of a callback',
    rule: 'Each delivery of a callback is a span below the transaction of the change, without its baggage.',
    heldBy: [
      'test/service/http/traces.test.ts > the callback of a change',
      'test/telemetry/oneTrace.test.ts > a callback that is signalled while the worker is away reaches the flow in the trace of its change',
    ],
  },
  {
    section: 'D-256 Traces that are not sampled',
    rule: 'A trace that is not sampled costs two ids, which log lines and callees get.',
    heldBy: ['test/telemetry/sampling.test.ts', 'test/telemetry/sampler.test.ts'],
  },
  {
    section: 'D-389 The traces of a busy process',
    rule: 'A process begins at most 20 traces per second, or as many as a variable says, and continues all others.',
    heldBy: ['test/telemetry/traceLimit.test.ts'],
  },
  {
    section: 'D-420 Workers of earlier builds do not count',
    rule: 'The pollers of the task queue are those of the current build, and of a build that ramps.',
    heldBy: [
      'test/gateway/pollers.test.ts > workers that get new flows > are those of the current build, while another one polls',
      'test/gateway/pollers.test.ts > workers that get new flows > are gone with the workers of the current build, although an old one polls for its own flows',
    ],
  },
  {
    section: 'D-258 Alerts are checked by promtool',
    rule: 'promtool accepts the alerts and the configuration, and each alert fires in its case only.',
    heldBy: [
      'test/metrics/promtool.test.ts > promtool accepts %s',
      'test/metrics/promtool.test.ts > promtool finds a wrong rule, and an alert that does not fire',
      'test/metrics/promtool.test.ts > every alert has a case in which it fires, and one in which it is silent',
    ],
  },
]
