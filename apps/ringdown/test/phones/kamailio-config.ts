import { CORE } from './phone-network.js';

export const DOMAIN = 'ringdown.test';
/** Of all users. */
export const PASSWORD = 'none';
export const NG_PORT = 2_223;
/** A call without an answer ends after this time. */
export const RING_SECONDS = 8;

export interface KamailioSettings {
  /** Where the sender listens for HEP. */
  readonly hep: string;
  /** Users without a registration, with the address that gets their calls. */
  readonly routes: Readonly<Record<string, string>>;
}

const MODULES = 'tm sl pv rr textops siputils usrloc registrar nathelper auth rtpengine siptrace'.split(' ');

/**
 * A registrar and proxy as operators run it: NAT, media through rtpengine, and siptrace as docs/guides/sender.md has it. It has one process
 * for requests and responses: two report in another order than that on the wire.
 */
export function kamailioConfig({ hep, routes }: KamailioSettings): string {
  return `#!KAMAILIO
debug=0
log_stderror=yes
children=1
auto_aliases=no
alias="${DOMAIN}"
listen=udp:${CORE}:5060
listen=tcp:${CORE}:5060
${MODULES.map((name) => `loadmodule "${name}.so"`).join('\n')}
modparam("tm", "fr_inv_timer", ${RING_SECONDS * 1_000})
modparam("registrar", "received_avp", "$avp(received)")
modparam("nathelper", "received_avp", "$avp(received)")
modparam("nathelper", "natping_interval", 10)
modparam("nathelper", "ping_nated_only", 0)
modparam("rtpengine", "rtpengine_sock", "udp:127.0.0.1:${NG_PORT}")
modparam("siptrace", "duplicate_uri", "sip:${hep}")
modparam("siptrace", "hep_mode_on", 1)
modparam("siptrace", "hep_version", 3)
modparam("siptrace", "trace_to_database", 0)
modparam("siptrace", "trace_on", 1)
modparam("siptrace", "trace_mode", 1)
modparam("siptrace", "trace_sl_acks", 0)
request_route {
  if ($rm == "OPTIONS") { sl_send_reply("200", "OK"); exit; }
  if (nat_uac_test("19")) {
    force_rport();
    if ($rm == "REGISTER") fix_nated_register();
    else add_contact_alias();
  }
  if ($rm == "REGISTER") {
    if (!pv_www_authenticate("${DOMAIN}", "${PASSWORD}", "0")) { www_challenge("${DOMAIN}", "0"); exit; }
    save("location");
    exit;
  }
  if ($rm == "CANCEL") { if (t_check_trans()) t_relay(); exit; }
  if (has_totag()) {
    if (loose_route()) {
      handle_ruri_alias();
      route(RELAY);
    } else if ($rm == "ACK" && t_check_trans()) t_relay();
    exit;
  }
  if ($rm == "INVITE" && !pv_proxy_authenticate("${DOMAIN}", "${PASSWORD}", "0")) {
    proxy_challenge("${DOMAIN}", "0");
    exit;
  }
  consume_credentials();
  record_route();
${Object.entries(routes)
  .map(([user, address]) => `  if ($rU == "${user}") { $du = "sip:${address}"; route(RELAY); }`)
  .join('\n')}
  if (!lookup("location")) { sl_send_reply("404", "Not Found"); exit; }
  route(RELAY);
}
route[RELAY] {
  if (has_body("application/sdp")) rtpengine_manage("replace-origin");
  if ($rm == "BYE") rtpengine_delete();
  t_on_reply("MEDIA");
  t_relay();
  exit;
}
onreply_route[MEDIA] {
  if (nat_uac_test("1")) add_contact_alias();
  if (has_body("application/sdp")) rtpengine_manage("replace-origin");
}
`;
}
