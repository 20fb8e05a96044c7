"""Starts flows over HTTP with a client that is generated from the OpenAPI document:

    pip install -r requirements.txt
    openapi-python-client generate --path ../../../docs/reference/flows-openapi.json --config generator.yaml --meta none --output-path door
    DOOR_TOKEN=… python start_flows.py http://127.0.0.1:8085 < flows.json

Standard input is a list of starts, each {"flow", "input"}, with "wait" if the start waits for the booking or the end, and
"calls", the fields of an operation by its name, if it is to be called before the flow is cancelled.
"""

import json
import os
import sys
import time

from door import AuthenticatedClient
from door.api.default import (
    answer,
    assign_receiver,
    cancel_flow,
    decide,
    get_flow,
    list_flows,
    live,
    ready,
    release,
    start_flow,
    watch_flow,
)
from door.models import (
    AnswerRequest,
    AssignReceiverRequest,
    Booked,
    Cancelled,
    CancelFlowRequest,
    DecideRequest,
    DecideRequestDecision,
    Ended,
    Listed,
    Refused,
    StartFlowRequest,
    StartFlowWait,
    Started,
    Status,
)


# The operations that "calls" can name.
OPERATIONS = {
    "answer": lambda client, case_no, fields: answer.sync(case_no, client=client, body=AnswerRequest.from_dict(fields)),
    "assignReceiver": lambda client, case_no, fields: assign_receiver.sync(
        case_no, client=client, body=AssignReceiverRequest.from_dict(fields)
    ),
    "decide": lambda client, case_no, fields: decide.sync(case_no, client=client, body=DecideRequest.from_dict(fields)),
    "release": lambda client, case_no, fields: release.sync(case_no, client=client),
}


def call(client: AuthenticatedClient, case_no: str, name: str, fields: dict):
    """Calls an operation, again while the flow refuses it: the flow may not have come to its step yet."""
    for _ in range(100):
        result = OPERATIONS[name](client, case_no, fields)
        if not isinstance(result, Refused):
            return result
        time.sleep(0.2)
    sys.exit(f"{name}: {result}")


def run(client: AuthenticatedClient, flow: str, given: dict, wait: str | None = None, calls: dict | None = None) -> None:
    """Starts one flow, reads its status, cancels it unless it has ended, and reads its events."""
    case_no = given["caseNo"]
    waiting = {} if wait is None else {"wait": StartFlowWait(wait)}
    started = start_flow.sync(flow, client=client, body=StartFlowRequest.from_dict(given), **waiting)
    match started:
        case Refused():
            print(f"{flow}: refused {started.code}")
            return
        case Ended():
            print(f"{flow}: ended {started.result.outcome.value}")
            return
        case Started():
            print(f"{flow}: started")
        case Booked():
            print(f"{flow}: booked {len(started.shipments)}")
        case _:
            sys.exit(f"{flow}: not booked: {started}")
    status = get_flow.sync(case_no, client=client)
    assert isinstance(status, Status), status
    print(f"{flow}: status of {status.status.flow}")
    decision = DecideRequest(decision=DecideRequestDecision.KEEPWAITING)
    decided = decide.sync(case_no, client=client, body=decision)
    assert isinstance(decided, Refused), decided
    print(f"{flow}: {decided.code}")
    if calls is not None:
        [(name, fields)] = calls.items()
        result = call(client, case_no, name, fields)
        print(f"{flow}: {result.kind}")
        # A released or answered flow ends by itself.
        if name in ("release", "answer"):
            return
    cancelled = cancel_flow.sync(case_no, client=client, body=CancelFlowRequest(reason="over"))
    assert isinstance(cancelled, Cancelled), cancelled
    print(f"{flow}: {cancelled.outcome.value}")
    events = watch_flow.sync(case_no, client=client)
    print(f"{flow}: {events.count('event: Ended')} end")


def main() -> None:
    client = AuthenticatedClient(base_url=sys.argv[1], token=os.environ["DOOR_TOKEN"], timeout=70)
    for start in json.load(sys.stdin):
        run(client, start["flow"], start["input"], start.get("wait"), start.get("calls"))
    assert isinstance(list_flows.sync(client=client), Listed)
    print("listed")
    live.sync(client=client)
    assert ready.sync_detailed(client=client).status_code == 200
    print("ready")


main()
