# The first start creates the user POSTGRES_USER with POSTGRES_PASSWORD, and its database POSTGRES_DB.
set -eu
data=/var/lib/postgresql/data
programs=/usr/lib/postgresql/15/bin
as_postgres() { setpriv --reuid=postgres --regid=postgres --init-groups "$@"; }

chown postgres:postgres "$data"
if [ ! -e "$data/initialised" ]; then
  find "$data" -mindepth 1 -delete
  printf '%s' "$POSTGRES_PASSWORD" > /tmp/password
  chown postgres:postgres /tmp/password
  as_postgres "$programs/initdb" -D "$data" -U "$POSTGRES_USER" --pwfile=/tmp/password --auth-local=trust --auth-host=scram-sha-256
  rm /tmp/password
  echo 'host all all all scram-sha-256' >> "$data/pg_hba.conf"
  echo "CREATE DATABASE \"$POSTGRES_DB\"" | as_postgres "$programs/postgres" --single -D "$data" postgres
  touch "$data/initialised"
fi
rm -f "$data/postmaster.pid"
exec setpriv --reuid=postgres --regid=postgres --init-groups "$programs/postgres" -D "$data" -c listen_addresses='*'
