"""A workflow of a team's own, with two flows of lockerflow as its children. See ../README.md."""
import asyncio
from datetime import timedelta

from temporalio import activity, workflow
from temporalio.common import Priority, WorkflowIDReusePolicy
from temporalio.exceptions import is_cancelled_exception
from temporalio.workflow import ChildWorkflowCancellationType, ParentClosePolicy

# States of a shipment whose item was placed in the locker.
AFTER_DROP_OFF = ("ReadyForPickup", "Completed")
IN_SHOP = {"step": "repair", "shipmentUid": None, "reason": "The device is in the shop."}
BOX = {"AllowLargerLockers": True, "AllowOverflowLockers": False,
       "Dimension": {"width": 30, "height": 15, "length": 40}}


@activity.defn(name="repair")
async def repair(work):
    """Works for the given seconds. A cancelled workflow interrupts it at a heartbeat."""
    for done in range(work["seconds"]):
        await asyncio.sleep(1)
        activity.heartbeat(done)
    return f"{work['repairNo']} works again"


async def flow(name, queue, case_no, request):
    """Runs a flow as a child. A cancelled parent waits until the flow has freed its lockers."""
    return await workflow.execute_child_workflow(
        name, {"caseNo": case_no, "request": request}, id=f"case:{case_no}", task_queue=queue,
        # Pick up points share the workers in equal parts.
        priority=Priority(priority_key=2, fairness_key=request["PupUid"]),
        cancellation_type=ChildWorkflowCancellationType.WAIT_CANCELLATION_COMPLETED,
        # The default would terminate the flow, and leave its lockers booked.
        parent_close_policy=ParentClosePolicy.REQUEST_CANCEL,
        id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY)


@workflow.defn(name="repairProcess")
class RepairProcess:
    @workflow.run
    async def run(self, order: dict) -> dict:
        number, queue, customer = order["repairNo"], order["flowsQueue"], order["customerUid"]
        locker = {"PupUid": order["pupUid"], **BOX}
        intake = await flow("intake", queue, f"{number}-in", {**locker, "FromUserUid": customer})
        if intake["outcome"] != "completed":
            return {"outcome": intake["outcome"], "report": None, "leftOver": intake["leftOver"]}
        report = None
        try:
            report = await workflow.execute_activity(
                "repair", {"repairNo": number, "seconds": order["seconds"]},
                start_to_close_timeout=timedelta(days=1), heartbeat_timeout=timedelta(seconds=2))
            back = await flow("issue", queue, f"{number}-back", {**locker, "ToUserUid": customer})
        except BaseException as error:
            if not is_cancelled_exception(error):
                raise
            return {"outcome": "cancelled", "report": report, "leftOver": [IN_SHOP]}
        was_put_back = any(shipment["stateCode"] in AFTER_DROP_OFF for shipment in back["shipments"])
        left_over = back["leftOver"] + ([] if was_put_back else [IN_SHOP])
        return {"outcome": back["outcome"], "report": report, "leftOver": left_over}
