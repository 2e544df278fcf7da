#!/bin/sh
# Writes the Secrets of deploy/kubernetes with new random content to a file that only you can read, for `kubectl apply -f`:
#   make-secrets.sh secrets.yaml [https://host [sip-domain]]      default: https://uc.example.test example.test
# An existing file is not changed: bus and database have what is in it.
set -eu
folder=$(dirname "$0")

fail() { echo "make-secrets: $2" >&2; exit "$1"; }
[ $# -ge 1 ] && [ $# -le 3 ] || fail 2 "give a file for the Secrets, an origin like https://uc.example.test and a SIP domain"
file=$1
origin=${2:-https://uc.example.test}
domain=${3:-example.test}
for program in openssl base32 od; do
  command -v "$program" >/dev/null || fail 1 "$program is missing"
done
[ ! -e "$file" ] || fail 1 "$file exists and is not changed, because bus and database have its passwords"
case $origin in
  https://*/* | https://) fail 2 "give an origin like https://uc.example.test, not $origin" ;;
  https://*) ;;
  *) fail 2 "the origin must start with https://, not $origin" ;;
esac
host=${origin#https://}
host=${host%:*}
case $host$domain in *[!A-Za-z0-9.-]*) fail 2 "only letters, digits, dots and hyphens are allowed in $host and $domain" ;; esac

# Letters and digits, a letter first: such a word needs no escaping in a URL, YAML or a file of nats-server.
secret() { printf 'r%s' "$(LC_ALL=C tr -dc 'a-z0-9' </dev/urandom | head -c "$1")"; }
# The head of a Secret: its name, and its type if it has one.
head_of() {
  printf -- '---\napiVersion: v1\nkind: Secret\nmetadata: { name: %s, namespace: ringdown }\n' "$1"
  [ $# -lt 2 ] || printf 'type: %s\n' "$2"
  echo 'stringData:'
}
indented() { sed 's/^/    /' "$1"; }

umask 077
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
keys=$work/keys
for service in collector aggregator discovery-auth application-people subscribers backup backup-people; do
  pair=$("$folder/../make-env.sh" key)
  head_of "bus-$service"
  printf '  seed: %s\n' "${pair%
*}"
  printf '  NATS_KEY_%s: %s\n' "$(echo "$service" | tr 'a-z-' 'A-Z_')" "${pair#*
}" >>"$keys"
done >"$work/secrets"
# Valid until you replace it, for example by a Secret of cert-manager with the same name.
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 90 -subj "/CN=$host" \
  -addext "subjectAltName=DNS:$host,DNS:ucdiscover.$domain,DNS:ucdiscoverinternal.$domain" \
  -keyout "$work/tls.key" -out "$work/tls.crt" 2>"$work/errors" || fail 1 "openssl made no certificate: $(tail -n 1 "$work/errors")"
{
  head_of bus-keys
  cat "$keys"
  head_of ringdown-db-owner kubernetes.io/basic-auth
  printf '  username: ringdown\n  password: %s\n' "$(secret 40)"
  head_of identity
  printf '  seed: %s\n' "$(secret 40)"
  # Their passwords, for the people: the first start hashes them.
  head_of first-users
  printf '  first-users.json: |\n    [\n'
  printf '      { "username": "alice@%s", "password": "%s", "roles": ["user"] },\n' "$domain" "$(secret 15)"
  printf '      { "username": "bob@%s", "password": "%s", "roles": ["user"] },\n' "$domain" "$(secret 15)"
  printf '      { "username": "carol@%s", "password": "%s", "roles": ["user", "operator", "reveal"] }\n    ]\n' "$domain" "$(secret 15)"
  head_of edge-certificate kubernetes.io/tls
  echo '  tls.crt: |'
  indented "$work/tls.crt"
  echo '  tls.key: |'
  indented "$work/tls.key"
} >>"$work/secrets"
# Appears as a whole.
mv "$work/secrets" "$file"
echo "wrote $file for $origin; keep it, and apply it: kubectl apply -f $file" >&2
