"""Starts flows over HTTP with a client that is generated from the OpenAPI document:

    pip install -r requirements.txt
    openapi-python-client generate --path ../../../docs/reference/flows-openapi.json --config generator.yaml --meta none --output-path door
    DOOR_TOKEN=… python start_flows.py http://127.0.0.1:8085 < flows.json

Standard input is a list of starts, each {"flow", "wait", "input"}.
"""

import json
import os
import sys

from door import AuthenticatedClient
from door.api.default import cancel_flow, decide, get_flow, list_flows, start_flow
from door.models import (
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
    Status,
)


def run(client: AuthenticatedClient, flow: str, wait: str, given: dict) -> None:
    """Starts one flow, reads its status, and cancels it unless it has ended."""
    case_no = given["caseNo"]
    started = start_flow.sync(flow, client=client, body=StartFlowRequest.from_dict(given), wait=StartFlowWait(wait))
    match started:
        case Refused():
            print(f"{flow}: refused {started.code}")
            return
        case Ended():
            print(f"{flow}: ended {started.result.outcome.value}")
            return
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
    cancelled = cancel_flow.sync(case_no, client=client, body=CancelFlowRequest(reason="over"))
    assert isinstance(cancelled, Cancelled), cancelled
    print(f"{flow}: {cancelled.outcome.value}")


def main() -> None:
    client = AuthenticatedClient(base_url=sys.argv[1], token=os.environ["DOOR_TOKEN"], timeout=70)
    for start in json.load(sys.stdin):
        run(client, start["flow"], start["wait"], start["input"])
    assert isinstance(list_flows.sync(client=client), Listed)
    print("listed")


main()
