"""Runs the workflow and its activity on a task queue of its own. See ../README.md."""
import asyncio, os, signal

from repair_process import RepairProcess, repair
from temporalio.client import Client
from temporalio.envconfig import ClientConfig
from temporalio.worker import Worker


async def main():
    client = await Client.connect(**{"target_host": "127.0.0.1:7233", **ClientConfig.load_client_connect_config()})
    queue = os.environ.get("REPAIR_TASK_QUEUE", "repairs")
    ended = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, ended.set)
    async with Worker(client, task_queue=queue, workflows=[RepairProcess], activities=[repair]):
        print(f"worker ready: task queue {queue}", flush=True)
        await ended.wait()


asyncio.run(main())
os._exit(0)  # A regular exit can crash Python inside the SDK: github.com/temporalio/sdk-python/issues/300.
