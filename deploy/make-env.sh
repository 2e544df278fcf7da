#!/bin/sh
# Writes .env for docker-compose.yml with new random secrets, readable by you alone:
#   make-env.sh [https://host[:port] [sip-domain]]      default: https://localhost:8443 example.test
# An .env that exists is kept as it is: the volumes know its passwords.
set -eu
origin=${1:-https://localhost:8443}
domain=${2:-example.test}
file=${RINGDOWN_ENV_FILE:-$(dirname "$0")/../.env}

if [ -e "$file" ]; then
  echo "make-env: $file exists and is kept; the volumes know its passwords" >&2
  exit 1
fi
case $origin in
  https://*/* | https://) echo "make-env: give an origin like https://uc.example.test, not $origin" >&2; exit 2 ;;
  https://*) ;;
  *) echo "make-env: the origin must start with https://, not $origin" >&2; exit 2 ;;
esac

authority=${origin#https://}
host=${authority%:*}
port=${authority##*:}
[ "$port" != "$authority" ] || port=443
# Clients derive the discovery host from the domain of a SIP address.
hosts="localhost, 127.0.0.1, ucdiscover.$domain, ucdiscoverinternal.$domain"
case ", $hosts, " in *", $host, "*) ;; *) hosts="$hosts, $host" ;; esac

# Letters and digits with a letter in front: such a word means the same to a URL, to a shell and to nats-server.
secret() { printf 'r%s' "$(LC_ALL=C tr -dc 'a-z0-9' </dev/urandom | head -c 40)"; }

umask 077
cat >"$file" <<EOF
NATS_PASSWORD=$(secret)
POSTGRES_PASSWORD=$(secret)
IDENTITY_SEED=$(secret)
PUBLIC_ORIGIN=$origin
PORT=$port
EDGE_HOSTS=$hosts
SIP_DOMAINS=$domain
EOF
echo "wrote $file for $origin; .env.example tells what else can be set" >&2
