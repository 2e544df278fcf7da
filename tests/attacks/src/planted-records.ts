/**
 * Records with the name and the number of a person in every field. None of these words is known to the product, and
 * none is the name of a machine.
 */
export const SECRET = /zaphod|beeblebrox|trillian|15112345678/i;

const TEXT = 'Zaphod Beeblebrox, +4915112345678!';
const ADDRESS = '&quot;Trillian&quot; &lt;sip:zaphod.beeblebrox@example.test;x=trillian&gt;';

const ENDPOINT =
  'Id EPId URI Contact IP EPType Relay ReflexiveIP HostIP UserAgent Trunk PAI TenantId Connection Subnet MACAddr OS CPUName ' +
  'CPUProcessorSpeed Virtualization BSSID SSID WifiDriverDeviceDesc WifiDriverVersion WifiRadioType DNSSuffix Owner Trillian';
const CONNECTION =
  'CorrelationId ConversationId ConferenceId Connectivity StartTime EndTime DialogCategory ConferenceURI MediaBypass SourcePool Pools Zaphod';
const PROPERTIES =
  'Protocol ReferredBy Replaces Via StreamQuality ResponseCode ResponsePhrase VendorDiagnosticsClient VendorDiagnosticsPublic ' +
  'CaptureDevice Owner Trillian';
const KINDS = ['StartOrUpdate', 'Ended', 'Error', 'QualityUpdate'];
const KEYS =
  'reason source dn calling called targetSip Initiator AppUri appName component UserUri CallerName to from name trillian';
const SDP = [
  'v=0',
  'o=%',
  's=%',
  'i=%',
  'u=http://%',
  'e=%',
  'p=%',
  'k=%',
  'a=%',
  'a=x-%:1',
  'a=x-source:%',
  'a=label:%',
  'a=msid:%',
  'a=ssrc:1 cname:%',
  'a=ice-ufrag:%',
  'a=rtpmap:96 %/8000',
  'a=fmtp:96 %',
  'a=candidate:% 1 udp 1 10.0.0.1 1 typ host',
];

/** CallIds that contain a user. */
export const CALL_IDS = [
  '0123456789abcdef@192.0.2.7',
  'zaphod@example.test',
  '+4915112345678@192.0.2.7',
  'trillian%40example.test',
  'sip:zaphod@example.test',
  'Trillian calls',
];

/** Names of front ends that are not names of machines, and one that is. */
export const FRONT_ENDS = ['fe1.example.test', "Zaphod's front end", 'sip:trillian@example.test'];

/** A record of each kind in each version, for all of these calls. */
export function plantedRecords(at: Date): readonly string[] {
  return CALL_IDS.flatMap((callId, index) => [
    document('1.0', callId, index, at, [...KINDS.map((kind) => event(kind, TEXT)), diagnostics()].join('')),
    document('1.0', callId, index, at, `${KINDS.map((kind) => event(kind, ADDRESS)).join('')}${sdp()}`),
    document('D', callId, index, at, `${event('Update', ADDRESS)}<Note Of="${TEXT}">by Trillian</Note>`),
    document('1.0', callId, index, at, usual('StartOrUpdate', 'zaphod')),
  ]);
}

/** As real front ends write them, of a user with that name. */
export function usual(kind: string, user: string): string {
  const end = `<Id>5f3a90c1</Id><URI>sip:${user}@example.test</URI><UserAgent>${TEXT}</UserAgent>`;
  return `<${kind} Type="audio"><From>${end}</From><To><Id>5f3a90c2</Id><URI>sip:trillian@example.test</URI></To>
    <Properties><Protocol>UDP</Protocol><Codec Name="Trillian"/></Properties></${kind}>`;
}

/** An event of this kind with planted texts in all places, and the diagnostics of an error. */
export function planted(kind: string): string {
  return event(kind, TEXT) + diagnostics();
}

export function document(version: string, callId: string, index: number, at: Date, body: string): string {
  const links = ['zaphod@example.test', 'of Trillian', TEXT];
  const ids = CONNECTION.split(' ').map((name, n) => element(name, name.endsWith('Id') ? links[n % 3] : undefined));
  const times = new Set(['StartTime', 'EndTime']);
  const header = ids.filter((text) => ![...times].some((name) => text.startsWith(`<${name}`))).join('');
  return `<Diagnostics Version="${version}" Lang="Zaphod"><ConnectionInfo Originator="Trillian"><CallId>${callId}</CallId>
    <FrontEnd>${FRONT_ENDS[index % FRONT_ENDS.length]}</FrontEnd><TimeStamp>${at.toISOString()}</TimeStamp>${header}
    </ConnectionInfo>${body}</Diagnostics>`;
}

function event(kind: string, text: string): string {
  const end = ENDPOINT.split(' ')
    .map((name) => element(name, text))
    .join('');
  const properties = PROPERTIES.split(' ')
    .map((name) => element(name, text))
    .join('');
  return `<${kind} Type="${text}"><From>${end}</From><To>${end}</To><EndPoint>${end}</EndPoint><Properties>${properties}
    <Codec Name="${text}"/></Properties><Route><Hop RTT="1">${text}</Hop></Route></${kind}>`;
}

function diagnostics(): string {
  const pairs = KEYS.split(' ').flatMap((key) => [`${key}="Zaphod"`, `${key}=zaphod.beeblebrox@example.test`]);
  return `<Error><EndPoint/><Properties><ResponseCode Code="486">Zaphod is busy</ResponseCode>
    <VendorDiagnostics>51004;${pairs.join(';')}</VendorDiagnostics></Properties></Error>`;
}

function sdp(): string {
  return `<RawSDP>${SDP.join('\r\n').replaceAll('%', 'zaphod')}\r\n</RawSDP>`;
}

function element(name: string, text = TEXT): string {
  return `<${name} Type="${text}">${text}</${name}>`;
}

/** Messages of SIP with planted names in every place, for all of these calls. */
export function plantedMessages(at: Date): readonly object[] {
  return CALL_IDS.map((callId, index) => ({
    callId,
    at: at.getTime() * 1_000 + index,
    source: { ip: '192.0.2.7', port: 5060 },
    destination: { ip: '192.0.2.8', port: 5060 },
    content: 'sip',
    point: "Trillian's probe",
    payload: Buffer.from(plantedMessage(callId)).toString('base64'),
  }));
}

const HEADERS =
  'From To Contact Route P-Asserted-Identity Diversion Subject User-Agent Server Via Call-ID Authorization Proxy-Authorization ' +
  'Reason Warning Allow Supported Event Content-Disposition Session-Expires Date CSeq Max-Forwards X-Zaphod Replaces Identity f t i s m v';
const IN_HEADERS = [
  '"Zaphod Beeblebrox" <sip:+4915112345678:trillian@example.test;x=trillian?Subject=zaphod>;tag=zaphod;y="Trillian"',
  'Zaphod <tel:+49-151-12345678>, sip:trillian@example.test;tag=beeblebrox',
  'Zaphod Beeblebrox, +49 151 12345678',
  'SIP/2.0/UDP 192.0.2.7;branch=z9hG4bK-trillian;received=zaphod',
];

function plantedMessage(callId: string): string {
  const headers = HEADERS.split(' ').flatMap((name) => IN_HEADERS.map((value) => `${name}: ${value}`));
  const body = SDP.map((line) => line.replaceAll('%', 'Zaphod')).join('\r\n');
  const head = ['INVITE sip:zaphod.beeblebrox@example.test SIP/2.0', `Call-ID: ${callId}`, ...headers];
  return [...head, ' folded by Trillian', 'Content-Type: application/sdp', '', body].join('\r\n');
}
