-- Run by the PostgreSQL image once, on an empty volume: a user for each of the two systems, who owns its databases.
\getenv temporal_password TEMPORAL_DATABASE_PASSWORD
\getenv lockerflow_password LOCKERFLOW_DATABASE_PASSWORD

CREATE ROLE temporal LOGIN PASSWORD :'temporal_password';
CREATE ROLE lockerflow LOGIN PASSWORD :'lockerflow_password';

CREATE DATABASE temporal OWNER temporal;
CREATE DATABASE temporal_visibility OWNER temporal;
CREATE DATABASE lockerflow OWNER lockerflow;

-- Otherwise everybody may connect to everything.
REVOKE CONNECT ON DATABASE temporal, temporal_visibility, lockerflow FROM PUBLIC;
