package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
)

// The SHA-256 of a request's canonical JSON: keys in lower case and sorted, no nulls, no blanks.
func fingerprint(request any) string {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	check(encoder.Encode(canonical(request)))
	return fmt.Sprintf("%x", sha256.Sum256(bytes.TrimSpace(text.Bytes())))
}

func canonical(value any) any {
	switch value := value.(type) {
	case map[string]any:
		folded := map[string]any{}
		for key, member := range value {
			if member != nil {
				folded[strings.ToLower(key)] = canonical(member)
			}
		}
		return folded
	case []any:
		folded := make([]any, len(value))
		for index, member := range value {
			folded[index] = canonical(member)
		}
		return folded
	}
	return value
}
