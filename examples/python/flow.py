"""Starts a flow, decides after a window has passed, and prints the result. See ../README.md."""
import asyncio, json, os, sys

from codec import converter
from temporalio.client import Client, WithStartWorkflowOperation
from temporalio.common import Priority, WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.envconfig import ClientConfig
from temporalio.exceptions import WorkflowAlreadyStartedError


async def run(flow, decision, by=None):
    case = json.load(sys.stdin)
    client = await Client.connect(**{"target_host": "127.0.0.1:7233", **ClientConfig.load_client_connect_config()},
                                  data_converter=converter())
    start = WithStartWorkflowOperation(
        flow, case, id=f"case:{case.get('caseNo')}",
        task_queue=os.environ.get("LOCKERFLOW_TASK_QUEUE", "lockerflow"),
        id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
        static_summary=f"{flow}, from the Python example",
        # Pick up points share the workers in equal parts.
        priority=Priority(priority_key=2, fairness_key=(case.get("request") or {}).get("PupUid", flow)))
    expected = {"flow": flow, "request": case.get("request")}
    booked = await asyncio.wait_for(client.execute_update_with_start_workflow(
        "waitForBooking", expected, start_workflow_operation=start), timeout=30)
    for shipment in booked["shipments"]:
        print(f"booked: {shipment['role']} in locker {shipment['lockerName']} at {shipment['pupUid']}", flush=True)
    handle = await start.workflow_handle()
    while (status := await handle.query("status"))["state"] in ("booking", "waiting"):
        await asyncio.sleep(0.5)
    if status["state"] == "overdue":
        print(f"status: overdue in {status['stage']}", flush=True)
        await handle.execute_update("decide", {"decision": decision, **({"by": by} if by else {})})
        print(f"decided: {decision}", flush=True)
    print("result:", json.dumps(await handle.result()), flush=True)


try:
    asyncio.run(run(*sys.argv[1:]))
    os._exit(0)  # A regular exit can crash Python inside the SDK: github.com/temporalio/sdk-python/issues/300.
except asyncio.TimeoutError:
    print("BookingPending: no response within 30 s; try again.", file=sys.stderr, flush=True)
except WorkflowAlreadyStartedError:
    print("CaseFinished: the case was started before and has ended.", file=sys.stderr, flush=True)
except Exception as error:  # The cause of a refusal has its code and a sentence.
    print(error.__cause__ or error, file=sys.stderr, flush=True)
os._exit(1)
