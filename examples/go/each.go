package main

import "go.temporal.io/api/common/v1"

func each(payloads []*common.Payload, do func(*common.Payload) (*common.Payload, error)) ([]*common.Payload, error) {
	done := make([]*common.Payload, len(payloads))
	for index, payload := range payloads {
		var err error
		if done[index], err = do(payload); err != nil {
			return nil, err
		}
	}
	return done, nil
}
