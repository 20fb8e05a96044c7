package main

import (
	"fmt"
	"os"

	"go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"
)

// Adds the codec to the options, if LOCKERFLOW_CODEC_KEYS is set. Failures are encrypted too.
func withCodec(options client.Options) client.Options {
	keys := os.Getenv("LOCKERFLOW_CODEC_KEYS")
	if keys == "" {
		return options
	}
	options.DataConverter = converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), readKeys(keys))
	options.FailureConverter = temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{
		DataConverter: options.DataConverter, EncodeCommonAttributes: true})
	return options
}

func (c *codec) Encode(payloads []*common.Payload) ([]*common.Payload, error) { return each(payloads, c.encrypt) }

func (c *codec) Decode(payloads []*common.Payload) ([]*common.Payload, error) { return each(payloads, c.decrypt) }

func (c *codec) decrypt(payload *common.Payload) (*common.Payload, error) {
	if string(payload.Metadata["encoding"]) != "binary/encrypted" {
		return payload, nil
	}
	name := string(payload.Metadata["encryption-key-id"])
	key, known := c.keys[name]
	if !known || len(payload.Data) < 12 {
		return nil, fmt.Errorf("LOCKERFLOW_CODEC_KEYS: must contain the key %s", name)
	}
	plain, err := key.Open(nil, payload.Data[:12], payload.Data[12:], nil)
	if err != nil {
		return nil, fmt.Errorf("LOCKERFLOW_CODEC_KEYS: the key %s must be the one that encrypted a payload: %w", name, err)
	}
	inner := &common.Payload{}
	return inner, proto.Unmarshal(plain, inner)
}
