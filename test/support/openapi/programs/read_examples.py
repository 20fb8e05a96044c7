"""Reads the examples of the OpenAPI document with the generated client, and prints the classes of the responses.

    python read_examples.py openapi.json
"""

import json
import re
import sys
from importlib import import_module

import httpx
from service_api import Client, models


def snake(name):
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def body(content):
    (media,) = content.values()
    return {name: example["value"] for name, example in media["examples"].items()}


with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
client = Client(base_url="http://127.0.0.1")
read = {}
for path, item in document["paths"].items():
    if not path.startswith("/v1/"):
        continue
    post = item["post"]
    name = post["operationId"]
    request = body(post["requestBody"]["content"])["request"]
    # An upload has the fields of the request in one part of its form.
    fields = request["data"] if "file" in request else request
    again = getattr(models, name + "Request").from_dict(fields).to_dict()
    if again != fields:
        raise SystemExit(f"{name}: expected {fields}, got {again}")
    module = import_module(f"service_api.api.{snake(post['tags'][0])}.{snake(name)}")
    for key, example in body(post["responses"]["200"]["content"]).items():
        response = module._parse_response(client=client, response=httpx.Response(200, json=example))
        read[f"{name} {key}"] = type(response).__name__
print(json.dumps(read))
