package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"strings"

	"go.temporal.io/api/common/v1"
	"google.golang.org/protobuf/proto"
)

// Encrypts payloads like the other processes, see ../../docs/how-to/replace-keys.md.
type codec struct {
	current string
	keys    map[string]cipher.AEAD
}

// Reads a list of id:key; the first key encrypts, all of them decrypt.
func readKeys(text string) *codec {
	ring := &codec{keys: map[string]cipher.AEAD{}}
	for _, entry := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }) {
		name, encoded, _ := strings.Cut(entry, ":")
		key, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(encoded))
		check(err)
		block, err := aes.NewCipher(key)
		check(err)
		ring.keys[name], err = cipher.NewGCM(block)
		check(err)
		if ring.current == "" {
			ring.current = name
		}
	}
	return ring
}

func (c *codec) encrypt(payload *common.Payload) (*common.Payload, error) {
	plain, err := proto.Marshal(payload)
	nonce := make([]byte, 12)
	rand.Read(nonce)
	return &common.Payload{
		Metadata: map[string][]byte{"encoding": []byte("binary/encrypted"), "encryption-key-id": []byte(c.current)},
		Data:     c.keys[c.current].Seal(nonce, nonce, plain, nil),
	}, err
}
