"""Encrypts payloads like the other processes. See ../../docs/how-to/replace-keys.md."""
import base64, os, re

from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from temporalio.api.common.v1 import Payload
from temporalio.converter import DataConverter, DefaultFailureConverterWithEncodedAttributes, PayloadCodec

ENCODING = b"binary/encrypted"


class EncryptionCodec(PayloadCodec):
    """`keys` is a list of id:key; the first key encrypts, all of them decrypt."""

    def __init__(self, keys):
        ring = [entry.split(":", 1) for entry in re.split(r"[\s,]+", keys) if entry]
        self.current = ring[0][0]
        self.keys = {name: AESGCM(base64.b64decode(key.translate({45: 43, 95: 47}) + "==")) for name, key in ring}

    async def encode(self, payloads):
        return [self.encrypt(payload) for payload in payloads]

    async def decode(self, payloads):
        return [self.decrypt(payload) for payload in payloads]

    def encrypt(self, payload):
        nonce = os.urandom(12)
        data = nonce + self.keys[self.current].encrypt(nonce, payload.SerializeToString(), None)
        return Payload(metadata={"encoding": ENCODING, "encryption-key-id": self.current.encode()}, data=data)

    def decrypt(self, payload):
        if payload.metadata.get("encoding") != ENCODING:
            return payload
        name = payload.metadata["encryption-key-id"].decode()
        if name not in self.keys:
            raise RuntimeError(f"LOCKERFLOW_CODEC_KEYS: must contain the key {name}.")
        return Payload.FromString(self.keys[name].decrypt(payload.data[:12], payload.data[12:], None))


def converter(keys=os.environ.get("LOCKERFLOW_CODEC_KEYS")):
    if not keys:
        return DataConverter()
    return DataConverter(payload_codec=EncryptionCodec(keys),
                         failure_converter_class=DefaultFailureConverterWithEncodedAttributes)
