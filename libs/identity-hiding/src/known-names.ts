import { CONNECTION_ROWS, ENDPOINT_ROWS, type FieldRow } from '@ringdown/call-catalogue/fields';

/** Names that may be shown when users are hidden; other names are hidden together with their values. */
function names(list: string): ReadonlySet<string> {
  return new Set(list.trim().split(/\s+/));
}

/** Elements and attributes of the feed without a row, lower case, also if a document has them in an unexpected place. */
const OTHER_ELEMENTS = names(`
  allowincallquality average bandwidth bye callee caller capturedevice codec connectioninfo device diagnostics displayname ended endpoint
  error estimatedbandwidth extension from frontend frontends high hop incallquality invite lang location low lrsinvite maxbandwidth maximum
  multiplexed name organizer originator owner party phone pool pools properties protocol qualityupdate rawsdp referredby replaces reportedby
  responsecode responsephrase route rtt source start startorupdate streamquality to unit update user username value vendordiagnostics
  vendordiagnosticsclient vendordiagnosticspublic version via wificbatterycharge code endedby postdialdelay redirectedfrom redirectedto
  ringtime transferredby transferredto`);

/** With those of the fields that have a row, and their attributes. */
export const ELEMENT_NAMES: ReadonlySet<string> = new Set([
  ...OTHER_ELEMENTS,
  ...[...ENDPOINT_ROWS, ...CONNECTION_ROWS].flatMap(({ element, alias }: FieldRow) =>
    [element, alias ?? ''].flatMap((name) => name.toLowerCase().split('@').filter(Boolean)),
  ),
]);

/** Keys of diagnostics texts, lower case; their values are checked separately. */
export const DIAGNOSTICS_KEYS = names(`
  appname appuri applicationuri baseaddress calledparty callernumber callername calleenumber cause clienttype code component conferenceid
  confid connectionid destination dialstring direction displayname domain errorcode errortype expirationtime federationtype fqdn from gatewayfqdn
  gatewayname hresult icewarn icewarnex initiator initiatedby interfaces ip-address ipaddress isfederated joinurl location localaddress
  localmr localmrtcpport locallocation localsite mediadisposition mediarole mediatype meinsideuser networkerrorcode networkname number
  originalpresencestate originator organizer participant party peer peer-type peerserver peertype phonenumber port portrange protocol proxy pstncause q850cause
  reason reasoncode rejectingparty relayaddress remotelocation remotemr remotepartycandoim remotesite requestid responsecode retryafter sequencenumber server
  serverfqdn servername setuptime sipresponsecode source sourcenetwork status statuscode statusstring target targetsip tenant to transport
  transportsused trunk trunkfqdn trunkname type uri user useragent username useruri usersip usertype validity version warning
  winsockfailurecode winsockfailuredescription dn calling called`);

/** Keys whose value is a server. */
export const HOST_KEYS = names(`
  source peer peerserver server serverfqdn servername fqdn gatewayfqdn trunkfqdn proxy relayaddress`);

/** Keys whose value is a number that is not a telephone number. */
export const CODE_KEYS = names(`
  code errorcode errortype hresult icewarn icewarnex networkerrorcode q850cause pstncause reasoncode responsecode retryafter sequencenumber
  sipresponsecode statuscode winsockfailurecode port portrange protocol localmrtcpport setuptime version sourcenetwork
  originalpresencestate postdialdelay ringtime localmr localsite remotemr remotesite locallocation remotelocation baseaddress localaddress ipaddress ip-address`);

/** Attributes of SDP; for other attributes, not even the name is shown. */
export const SDP_ATTRIBUTES = names(`
  sendrecv sendonly recvonly inactive rtpmap fmtp ptime maxptime minptime rtcp rtcp-mux rtcp-mux-only rtcp-rsize rtcp-fb rtcp-xr rtcp-xr-api candidate
  remote-candidates remote-candidate end-of-candidates ice-ufrag ice-pwd ice-options ice-lite ice-mismatch ice-pacing fingerprint setup connection crypto cryptoscale encryption tls-id
  mid group msid msid-semantic ssrc ssrc-group extmap extmap-allow-mixed label bundle-only rid simulcast imageattr framerate framesize quality orient type charset
  lang sdplang tool cat keywds content silenceSupp ecan gpmd sctp-port sctpmap max-message-size dtls-id key-mgmt csup acfg pcfg tcap rtcp-bandwidth maxmessagesize
  T38FaxVersion T38MaxBitRate T38FaxFillBitRemoval T38FaxTranscodingMMR T38FaxTranscodingJBIG T38FaxRateManagement T38FaxMaxBuffer T38FaxMaxDatagram
  T38FaxUdpEC nortpproxy oldmediaip oldcip direction curr des conf floorctrl confid userid mstrm floorid accept-types accept-wrapped-types path
  x-caps x-ssrc-range x-mediasettings x-bypassid x-devicecaps x-candidate-ipv6 x-candidate-info x-signaling-fb x-source x-source-streamid x-sourceid x-bypass
  x-mediabw x-rtcp-mux x-data-protocols x-sharedtimeout x-applicationsharing-session-id x-applicationsharing-role x-applicationsharing-media-type x-consent x-bwe
  applicationsharing-role x-mediapolicy x-google-flag x-preserve`);
