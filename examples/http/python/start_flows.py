"""Starts flows over HTTP with a client that is generated from the OpenAPI document:

    pip install -r requirements.txt
    openapi-python-client generate --path ../../../docs/reference/flows-openapi.json --config generator.yaml --meta none --output-path flow_api
    FLOW_API_TOKEN=… python start_flows.py http://127.0.0.1:8085 < flows.json

Standard input is a list of starts, each {"flow", "input"}, with "wait" if the start waits for the booking or the end,
and "calls", the fields of an operation by its name, if it is to be called before the flow is cancelled.
"""

import json
import os
import sys

from calls import call
from flow_api import AuthenticatedClient
from flow_api.api.flows import cancel_flow, decide, get_flow, list_flows, start_flow, watch_flow
from flow_api.api.health import live, ready
from flow_api.models import (
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


def run(client: AuthenticatedClient, flow: str, given: dict, wait: str | None, calls: dict | None) -> None:
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
    client = AuthenticatedClient(base_url=sys.argv[1], token=os.environ["FLOW_API_TOKEN"], timeout=70)
    for start in json.load(sys.stdin):
        run(client, start["flow"], start["input"], start.get("wait"), start.get("calls"))
    assert isinstance(list_flows.sync(client=client), Listed)
    print("listed")
    live.sync(client=client)
    assert ready.sync_detailed(client=client).status_code == 200
    print("ready")


main()
