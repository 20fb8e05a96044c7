package main

import (
	"fmt"
	"regexp"
)

// Fields of accounts need a key of their person: with the ring alone they would stay readable when the account is
// removed.
var personal = regexp.MustCompile(`(?i)"(emailaddress|username|firstname|lastname|phonenumber|mailcode|` +
	`streetname|streetno|mailbox|city|countrycode)"\s*:`)

func refusePersonal(data []byte) error {
	if field := personal.FindSubmatch(data); field != nil {
		return fmt.Errorf("%s: names and addresses need a key of the person, which the ring alone does not have", field[1])
	}
	return nil
}
