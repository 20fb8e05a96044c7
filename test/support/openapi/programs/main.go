// Prints a request whose optional texts are set, and one with a house number, by the client that is generated from
// the OpenAPI document of the service.
package main

import (
	"encoding/json"
	"log"
	"os"

	"example.com/service-client/serviceapi"
)

func main() {
	reference, empty, order := "L-1", "", serviceapi.GetShipmentsRequestSortByActivityDesc
	booking := serviceapi.CreateLocalShipmentRequest{PupUid: "pup-1", ReferenceCaseNo: &reference, Description: &empty}
	listing := serviceapi.GetShipmentsRequest{ReferenceCaseNo: &reference, SortBy: &order}
	var number serviceapi.SetAccountDetailsRequest_StreetNo
	if err := number.FromSetAccountDetailsRequestStreetNo1("12a"); err != nil {
		log.Fatal(err)
	}
	account := serviceapi.SetAccountDetailsRequest{UserUid: "user-1", StreetNo: &number}
	if err := json.NewEncoder(os.Stdout).Encode([]any{booking, listing, account}); err != nil {
		log.Fatal(err)
	}
}
