package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"regexp"
	"strings"

	"go.temporal.io/api/common/v1"
	"google.golang.org/protobuf/proto"
)

// Encrypts payloads like the other processes, see ../../docs/how-to/encrypt-histories.md.
type codec struct {
	current string
	keys    map[string]cipher.AEAD
}

// Fields of accounts need a key of their person: with the ring alone they would stay readable when the account is removed.
var personal = regexp.MustCompile(`(?i)"(emailaddress|username|firstname|lastname|phonenumber|mailcode|` +
	`streetname|streetno|mailbox|city|countrycode)"\s*:`)

// Reads a list of id:key; the first key encrypts, all of them decrypt.
func readKeys(text string) *codec {
	ring := &codec{keys: map[string]cipher.AEAD{}}
	isSeparator := func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }
	for _, entry := range strings.FieldsFunc(text, isSeparator) {
		name, encoded, _ := strings.Cut(entry, ":")
		standard := strings.NewReplacer("-", "+", "_", "/", "=", "").Replace(encoded)
		key, err := base64.RawStdEncoding.DecodeString(standard)
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
	if field := personal.FindSubmatch(payload.Data); field != nil {
		return nil, fmt.Errorf("%s: names and addresses need a key of the person, which the ring alone does not have", field[1])
	}
	plain, err := proto.Marshal(payload)
	nonce := make([]byte, 12)
	rand.Read(nonce)
	return &common.Payload{
		Metadata: map[string][]byte{"encoding": []byte("binary/encrypted"), "encryption-key-id": []byte(c.current)},
		Data:     c.keys[c.current].Seal(nonce, nonce, plain, nil),
	}, err
}
