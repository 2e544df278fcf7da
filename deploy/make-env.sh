#!/bin/sh
# Writes .env for docker-compose.yml with new random secrets, readable only by you:
#   make-env.sh [https://host[:port] [sip-domain]]      default: https://localhost:8443 example.test
#   make-env.sh add-keys                                adds keys and passwords that are missing in an older .env
#   make-env.sh images images.env                       runs the images of a release from now on, by their digests (releases.md)
#   make-env.sh key                                     prints a key for a reader of the bus: seed and public key
# Otherwise an existing .env is not changed: the volumes have its passwords.
set -eu

# A key pair for a user of NATS, as two lines: the seed for the service, the public key for the server. Both are Ed25519
# keys of 32 bytes with a prefix and a CRC-16 (XMODEM), in base32.
nkey_pair() {
  der=$(mktemp)
  openssl genpkey -algorithm ed25519 -outform DER -out "$der"
  nkey '149 0' "$(tail -c 32 "$der" | od -An -v -tu1)"
  nkey '160' "$(openssl pkey -inform DER -in "$der" -pubout -outform DER | tail -c 32 | od -An -v -tu1)"
  rm -f "$der"
}
nkey() {
  crc=0 octal=''
  # shellcheck disable=SC2086 # a list of bytes
  for byte in $1 $2; do
    octal="$octal$(printf '\\%03o' "$byte")"
    crc=$((crc ^ (byte << 8)))
    for _ in 1 2 3 4 5 6 7 8; do
      if [ $((crc & 32768)) -ne 0 ]; then crc=$(((crc << 1 ^ 4129) & 65535)); else crc=$((crc << 1 & 65535)); fi
    done
  done
  octal="$octal$(printf '\\%03o\\%03o' $((crc & 255)) $((crc >> 8)))"
  # shellcheck disable=SC2059 # the bytes are the format
  printf "$octal" | base32 -w 0 | tr -d =
  echo
}
# Letters and digits, a letter first: such a word needs no escaping in a URL, a shell or a file of nats-server.
secret() { printf 'r%s' "$(LC_ALL=C tr -dc 'a-z0-9' </dev/urandom | head -c 40)"; }

add_keys() {
  # The last line of a file that was edited by hand may have no end.
  [ -z "$(tail -c 1 "$1")" ] || echo >>"$1"
  for service in COLLECTOR AGGREGATOR DISCOVERY_AUTH APPLICATION_PEOPLE SUBSCRIBERS BACKUP BACKUP_PEOPLE; do
    ! grep -q "^NATS_SEED_$service=" "$1" || continue
    pair=$(nkey_pair)
    printf 'NATS_SEED_%s=%s\nNATS_KEY_%s=%s\n' "$service" "${pair%
*}" "$service" "${pair#*
}" >>"$1"
  done
  # For servers of one cluster among themselves (deploy/cluster.yml).
  for cluster in NATS POSTGRES; do
    grep -q "^${cluster}_CLUSTER_PASSWORD=" "$1" || echo "${cluster}_CLUSTER_PASSWORD=$(secret)" >>"$1"
  done
}

# Puts the settings of a release in the places of those that name the same images. Any other line stays.
set_images() {
  settings=$(grep -E '^RINGDOWN_([A-Z]+_)?IMAGE=[^[:space:]]+$' "$2" || true)
  [ -n "$settings" ] || { echo "make-env: $2 names no images" >&2; return 1; }
  umask 077
  names=$(printf '%s\n' "$settings" | sed 's/=.*/=/; s/^/^/')
  { grep -v "$names" "$1" || true; printf '%s\n' "$settings"; } >"$1.new"
  mv "$1.new" "$1"
  echo "$1 names the images of $2: docker compose pull && docker compose up -d" >&2
}

for program in openssl base32 od; do
  command -v "$program" >/dev/null || { echo "make-env: $program is missing" >&2; exit 1; }
done
origin=${1:-https://localhost:8443}
domain=${2:-example.test}
file=${RINGDOWN_ENV_FILE:-$(dirname "$0")/../.env}

if [ "$origin" = key ]; then
  nkey_pair
  exit 0
fi
if [ "$origin" = add-keys ]; then
  [ -e "$file" ] || { echo "make-env: $file does not exist" >&2; exit 1; }
  add_keys "$file"
  exit 0
fi
if [ "$origin" = images ]; then
  [ -e "$file" ] || { echo "make-env: $file does not exist" >&2; exit 1; }
  set_images "$file" "$2"
  exit 0
fi
if [ -e "$file" ]; then
  echo "make-env: $file exists and is not changed, because the volumes have its passwords" >&2
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

umask 077
cat >"$file" <<EOF
POSTGRES_PASSWORD=$(secret)
IDENTITY_SEED=$(secret)
PUBLIC_ORIGIN=$origin
PORT=$port
EDGE_HOSTS=$hosts
SIP_DOMAINS=$domain
COLLECTOR_ALLOW=127.0.0.0/8,10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,169.254.0.0/16,::1,fc00::/7,fe80::/10
EOF
add_keys "$file"
echo "wrote $file for $origin; the feed accepts private addresses (COLLECTOR_ALLOW); .env.example lists further settings" >&2
