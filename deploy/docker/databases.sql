-- The PostgreSQL image runs this once, on an empty volume. Each of the two systems gets a user that owns its databases.
\set temporal_password `cat /run/secrets/temporal-password`
-- The password in postgres://lockerflow:<password>@postgres:5432/lockerflow.
\set lockerflow_password `sed 's/.*:\(.*\)@.*/\1/' /run/secrets/database-url`

CREATE ROLE temporal LOGIN PASSWORD :'temporal_password';
CREATE ROLE lockerflow LOGIN PASSWORD :'lockerflow_password';

CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
CREATE DATABASE lockerflow OWNER lockerflow;

-- By default, every user may connect to every database.
REVOKE CONNECT ON DATABASE temporal, temporal_visibility, lockerflow FROM PUBLIC;
