"""The operations of a running flow that a start can name in its "calls"."""

import sys
import time

from flow_api import AuthenticatedClient
from flow_api.api.flows import answer, assign_receiver, decide, release
from flow_api.models import AnswerRequest, AssignReceiverRequest, DecideRequest, Refused

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
