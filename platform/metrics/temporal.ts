/** The metrics of Temporal's SDK that a worker can expose, with names as the worker configures them. */
export const temporalMetrics: Readonly<Record<string, string>> = {
  temporal_activity_execution_failed_total:
    'Attempts of activities that failed. Grows quickly while the service is down or refuses.',
  temporal_activity_execution_latency_seconds: 'Time of one attempt of an activity.',
  temporal_activity_poll_no_task_total: 'Polls for activities that returned none.',
  temporal_activity_schedule_to_start_latency_seconds:
    'Time that activities waited for a worker. Grows if there are too few workers.',
  temporal_activity_succeed_endtoend_latency_seconds: 'Time of an activity with all its attempts.',
  temporal_activity_task_received_total: 'Started attempts of activities.',
  temporal_long_request_failure_total: 'Failed long polls to Temporal.',
  temporal_long_request_latency_seconds: 'Time of long polls to Temporal.',
  temporal_long_request_total: 'Long polls to Temporal.',
  temporal_num_pollers: 'Polls that wait for a task.',
  temporal_request_failure_total: 'Failed calls to Temporal.',
  temporal_request_latency_seconds: 'Time of calls to Temporal.',
  temporal_request_total: 'Calls to Temporal.',
  temporal_sticky_cache_hit_total: 'Workflow tasks whose flow was in the cache.',
  temporal_sticky_cache_miss_total: 'Workflow tasks whose flow was not in the cache, so that its history was replayed.',
  temporal_sticky_cache_size: 'Flows in the cache. At `LOCKERFLOW_MAX_CACHED_WORKFLOWS`, replays slow the worker down.',
  temporal_sticky_cache_total_forced_eviction_total: 'Flows that were evicted from the cache for other flows.',
  temporal_worker_start_total: 'Starts of workers.',
  temporal_worker_task_slots_available:
    'Tasks that the worker could start now. If it stays at 0, start another worker.',
  temporal_worker_task_slots_used: 'Tasks that run.',
  temporal_workflow_canceled_total: 'Flows that were cancelled.',
  temporal_workflow_completed_total: 'Flows that completed.',
  temporal_workflow_continue_as_new_total: 'Flows that continued as new.',
  temporal_workflow_endtoend_latency_seconds: 'Time from the start of a flow to its end.',
  temporal_workflow_failed_total: 'Flows that failed.',
  temporal_workflow_task_execution_failed_total:
    'Failed attempts of workflow tasks. `failure_reason` is `NonDeterminismError` if a history does not replay. `WorkflowError` also counts queries that a task of their flow has overtaken; these succeed at the next attempt.',
  temporal_workflow_task_execution_latency_seconds: 'Time of one workflow task.',
  temporal_workflow_task_queue_poll_empty_total: 'Polls for workflow tasks that returned none.',
  temporal_workflow_task_queue_poll_succeed_total: 'Polls for workflow tasks that returned one.',
  temporal_workflow_task_replay_latency_seconds: 'Time to replay a history.',
  temporal_workflow_task_schedule_to_start_latency_seconds: 'Time that workflow tasks waited for a worker.',
}
