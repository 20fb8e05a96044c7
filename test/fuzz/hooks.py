"""Hooks for rules that the configuration of Schemathesis cannot express."""

import uuid

import schemathesis

LONGEST_USUAL_KEY = 100


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Gives each link the requestBody that Schemathesis follows. The document has it as an extension."""
    operations = (operation for item in raw_schema["paths"].values() for operation in item.values())
    responses = (response for operation in operations for response in operation["responses"].values())
    for link in (link for response in responses for link in response.get("links", {}).values()):
        link["requestBody"] = link.pop("x-request-body")


@schemathesis.hook
def before_call(context, case, kwargs):
    """Gives each request its own idempotency key.

    Schemathesis generates few keys and many bodies, so nearly every create would reuse the key of another request.
    Overlong keys stay unchanged, because they test the refusal.
    """
    key = (case.headers or {}).get("Idempotency-Key")
    if key and len(key) <= LONGEST_USUAL_KEY:
        content = f"{key} {case.operation.path} {case.body!r}"
        case.headers["Idempotency-Key"] = str(uuid.uuid5(uuid.NAMESPACE_OID, content.encode("utf-8", "replace").hex()))
