import type { Dice } from '@ringdown/testing/fuzz/dice';
import { pumpLength, pumpString } from '@ringdown/testing/fuzz/pumps';

const ENDPOINT = (
  'Id EPId URI Contact IP Port EPType Relay RelayPort ReflexiveIP ReflexivePort HostIP HostPort UserAgent IncallEnabled Trunk PAI TenantId Inside ' +
  'VPN Wireless Connection Subnet LinkSpeed DSCPInbound DSCPOutbound MACAddr OS CPUName CPUNumberOfCores CPUProcessorSpeed Virtualization BSSID ' +
  'SSID WifiDriverDeviceDesc WifiDriverVersion WiFiChannel WifiChannelReassociations WifiHandovers WifiSignalStrength WifiRSSI WifiRadioType ' +
  'WifiRadioFrequency WifiSupportFlags WifiStatusFlags WifiBatteryCharge DNSSuffix Unknown'
).split(' ');
const CONNECTION = (
  'CorrelationId CSEQ ConversationId ConferenceId TimeStamp Connectivity StartTime EndTime AppliedBandwidthLimit DialogCategory ConferenceURI ' +
  'MediaBypass MediationServerLegPosition SourcePool Pools FrontEnd FrontEnds Unknown'
).split(' ');
const PROPERTIES = (
  'Protocol ReferredBy Replaces Via StreamQuality ResponseCode ResponsePhrase VendorDiagnostics VendorDiagnosticsClient VendorDiagnosticsPublic ' +
  'CaptureDevice PacketLossRate JitterInterArrival RoundTrip OverallAvgNetworkMOS Average Maximum Unknown'
).split(' ');
const KINDS = 'StartOrUpdate Start Update Ended Bye Error QualityUpdate InCallQuality Invite LRSInvite'.split(' ');
const VERSIONS = ['1.0', 'A', 'B', 'C', 'D', 'E', ''];
/** Keys of diagnostics and lines of SDP that are parsed further than others. */
const DIAGNOSTICS = [
  '',
  '1;',
  '1;reason=',
  '1;reason="',
  '2;source=',
  '1;dn=',
  '1;calling="',
  '1;a=b;',
  '1;user=',
  '1;AppUri=',
];
const SDP = (
  'o= s= i= u= e= p= c=IN_IP4_ m=audio_ m=audio_1_RTP/AVP_ a= a=x- a=cname: a=ssrc:1_cname: a=ssrc:1_msid: a=msid: a=label: a=rtpmap:96_ a=fmtp:96_ ' +
  'a=candidate: a=candidate:1_1_udp_1_10.0.0.1_1_typ_host_ a=ice-ufrag: a=crypto: a=fingerprint: a=extmap:1_ a=group:BUNDLE_ a=tool: Content-ID:_ --'
)
  .split(' ')
  .map((line) => line.replaceAll('_', ' '));
/** The limits in docs/records.md; longer texts are rejected or truncated, which is tested as well. */
const LIMITS = [128, 255, 512, 1_024, 2_048];
const DIAGNOSTICS_LIMIT = 32_768;
const SDP_LIMIT = 65_536;
const RECORD_LIMIT = 380_000;
const ENDPOINTS = ['<From>', '<To>', '<EndPoint>', '<Caller>', '<Callee>'];

/** The records of one call, mostly only one: each with pump strings in some of its fields, never many in total. */
export function pumpedCall(dice: Dice): readonly string[] {
  const count = dice.onceIn(4) ? 2 + dice.below(3) : 1;
  return Array.from({ length: count }, (_, at) => pumpedRecord(dice, at));
}

function pumpedRecord(dice: Dice, at: number): string {
  const version = dice.of(VERSIONS);
  const isFull = dice.onceIn(150);
  const connection = fields(dice, CONNECTION, isFull);
  const time = dice.onceIn(3) ? '' : `<TimeStamp>2026-03-04T09:15:2${at}.1234567Z</TimeStamp>`;
  const callId = dice.onceIn(30) ? escaped(pumpString(dice, 512), dice) : 'pumped';
  const originator = dice.onceIn(20) ? ` Originator="${attribute(dice)}"` : '';
  const events = Array.from({ length: isFull ? 4 : 1 + dice.below(2) }, () => event(dice, isFull)).join('');
  const header = `<ConnectionInfo${originator}><CallId>${callId}</CallId><FrontEnd>fe1.example.test</FrontEnd>${time}${connection}</ConnectionInfo>`;
  const root = `Diagnostics Version="${dice.onceIn(50) ? attribute(dice) : version}"${extension(dice)}`;
  return `<${root}>${header}${events}${rest(dice, isFull)}</Diagnostics>`;
}

function event(dice: Dice, isFull: boolean): string {
  const kind = dice.of(KINDS);
  const type = dice.onceIn(20) ? attribute(dice) : dice.of(['audio', 'video', 'application-sharing']);
  const ends = Array.from({ length: isFull ? 3 : 1 + dice.below(2) }, () => {
    const end = dice.of(ENDPOINTS);
    const own = `<Id>a1</Id><URI>sip:anna@example.test</URI><IP>10.0.0.1</IP>`;
    return `${end}${dice.onceIn(2) ? own : ''}${fields(dice, ENDPOINT, isFull)}${end.replace('<', '</')}`;
  }).join('');
  const codec = dice.onceIn(10)
    ? `<Codec Name="${attribute(dice)}"/><EstimatedBandwidth Codec="${attribute(dice)}"/>`
    : '';
  const properties = dice.onceIn(2) ? '' : `<Properties>${fields(dice, PROPERTIES, isFull)}${codec}</Properties>`;
  return `<${kind} Type="${type}"${extension(dice)}>${ends}${properties}${dice.onceIn(20) ? route(dice) : ''}</${kind}>`;
}

/** What may follow the events. */
function rest(dice: Dice, isFull: boolean): string {
  const parts: string[] = [];
  if (dice.onceIn(6)) parts.push(failure(dice));
  if (isFull || dice.onceIn(10)) parts.push(`<RawSDP>v=0\r\n${escaped(sdp(dice), dice)}</RawSDP>`);
  if (isFull || dice.onceIn(20))
    parts.push(route(dice), `<Properties>${fields(dice, PROPERTIES, isFull)}</Properties>`);
  if (dice.onceIn(30)) parts.push(`<Unknown><Inner>${text(dice, 1_024)}</Inner><Inner/></Unknown>`);
  if (dice.onceIn(2_000)) parts.push(`<Unknown>${text(dice, RECORD_LIMIT)}</Unknown>`);
  if (dice.onceIn(400))
    parts.push(
      dice
        .of(['<a>', '<a/>', '<a b="c"/>', '<Ended/>', '<Error/>', '<Route><Hop/></Route>'])
        .repeat(1 + dice.below(1_900)),
    );
  return parts.join('');
}

function failure(dice: Dice): string {
  const diagnostics = escaped(dice.of(DIAGNOSTICS) + pumpString(dice, DIAGNOSTICS_LIMIT), dice);
  const outcome = `<ResponseCode Code="403">Forbidden</ResponseCode><VendorDiagnostics>${diagnostics}</VendorDiagnostics>`;
  return `<Error><EndPoint><URI>sip:anna@example.test</URI></EndPoint><Properties>${outcome}</Properties></Error>`;
}

function route(dice: Dice): string {
  return `<Route>${`<Hop RTT="1">${text(dice, 255)}</Hop>`.repeat(1 + dice.below(20))}</Route>`;
}

function sdp(dice: Dice): string {
  const lines = Array.from({ length: 1 + dice.below(4) }, () => dice.of(SDP) + pumpString(dice, SDP_LIMIT / 4));
  return dice.onceIn(2) ? lines.join('\r\n') : `${dice.of(SDP)}1\r\n`.repeat(pumpLength(dice, 300)) + lines.join('\n');
}

function fields(dice: Dice, names: readonly string[], isFull: boolean): string {
  const chosen = isFull ? names : Array.from({ length: dice.below(3) }, () => dice.of(names));
  return chosen.map((name) => `<${name}${extension(dice)}>${text(dice, dice.of(LIMITS))}</${name}>`).join('');
}

function extension(dice: Dice): string {
  return dice.onceIn(40) ? ` Unknown="${attribute(dice)}"` : '';
}

function attribute(dice: Dice): string {
  return text(dice, 128);
}

/** At most `most` characters, occasionally far more. */
function text(dice: Dice, most: number): string {
  return escaped(pumpString(dice, dice.onceIn(100) ? most * 20 : most), dice);
}

/** Escaped as an XML writer does, and rarely not. */
function escaped(written: string, dice: Dice): string {
  if (dice.onceIn(100)) return written;
  const text = written.toWellFormed().replaceAll('\0', '');
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
