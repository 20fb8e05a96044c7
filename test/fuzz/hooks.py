"""What the configuration of Schemathesis cannot say."""

import uuid

import schemathesis

LONGEST_USUAL_KEY = 100


@schemathesis.hook
def before_call(context, case, kwargs):
    """Tells keys of different requests apart.

    Schemathesis has few keys and many bodies, so that nearly every create would be a key that was used with another
    request. A key that is not usual stays: it is there to be refused.
    """
    key = (case.headers or {}).get("Idempotency-Key")
    if key and len(key) <= LONGEST_USUAL_KEY:
        wish = f"{key} {case.operation.path} {case.body!r}"
        case.headers["Idempotency-Key"] = str(uuid.uuid5(uuid.NAMESPACE_OID, wish.encode("utf-8", "replace").hex()))
