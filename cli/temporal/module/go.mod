module lockerflow/temporal

go 1.25.0

require (
	github.com/temporalio/cli v1.5.1
	modernc.org/sqlite v1.34.5
)
