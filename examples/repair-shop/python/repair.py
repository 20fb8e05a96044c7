"""Runs the activity `repair` on a task queue of its own. See ../README.md."""
import asyncio, os, signal

from temporalio import activity
from temporalio.client import Client
from temporalio.envconfig import ClientConfig
from temporalio.worker import Worker

STAGES = ["opened", "part replaced", "tested"]


@activity.defn
async def repair(order, call):
    """Continues after the stage that the last heartbeat of a lost attempt reported."""
    details = activity.info().heartbeat_details
    done = details[0] if details else 0
    for stage in range(done, len(STAGES)):
        await asyncio.sleep(float(os.environ.get("REPAIR_SECONDS", "1")))
        activity.heartbeat(stage + 1)
        print(f"{order['labelNo']}: {STAGES[stage]}", flush=True)
    return {"report": f"{', '.join(STAGES)} (case {call['caseNo']}, attempt {activity.info().attempt})"}


async def main():
    client = await Client.connect(**{"target_host": "127.0.0.1:7233", **ClientConfig.load_client_connect_config()})
    queue = os.environ.get("REPAIR_TASK_QUEUE", "repair-shop-python")
    ended = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, ended.set)
    async with Worker(client, task_queue=queue, activities=[repair]):
        print(f"worker ready: task queue {queue}", flush=True)
        await ended.wait()


asyncio.run(main())
os._exit(0)  # A regular exit can crash Python inside the SDK: github.com/temporalio/sdk-python/issues/300.
