import { IdentityHiding } from '@ringdown/identity-hiding';
import { defaultProfile } from '@ringdown/vendor-profile';
import { readFeedMessage } from '@ringdown/xml-schemas';
import type { DiagnosticsRecord } from '@ringdown/xml-schemas/record';
import { callCoursePage } from '../calls/life/call-course.js';
import { defaultRules, deriveCall, NO_HISTORY } from '../calls/derive-call.js';
import { feedRecord, type FeedRecord } from '../calls/feed-record.js';
import { csvLine } from './call-csv.js';
import { listedCall, type ListedCall } from './listed-call.js';
import { IdentityView } from '../search/names/identities.js';

const hiding = new IdentityHiding('seed of these very tests');
const view = new IdentityView(hiding, defaultProfile, 60_000);

const ENDPOINT =
  'Id EPId URI Contact IP Port EPType Relay RelayPort ReflexiveIP ReflexivePort HostIP HostPort UserAgent IncallEnabled Trunk PAI TenantId Inside ' +
  'VPN Wireless Connection Subnet LinkSpeed DSCPInbound DSCPOutbound MACAddr OS CPUName CPUNumberOfCores CPUProcessorSpeed Virtualization BSSID ' +
  'SSID WifiDriverDeviceDesc WifiDriverVersion WiFiChannel WifiHandovers WifiSignalStrength WifiRSSI WifiRadioType WifiBatteryCharge DNSSuffix ' +
  'Owner Fancy';
const CONNECTION =
  'CorrelationId CSEQ ConversationId ConferenceId TimeStamp Connectivity StartTime EndTime AppliedBandwidthLimit DialogCategory ConferenceURI ' +
  'MediaBypass MediationServerLegPosition SourcePool Pools Fancy';
const PROPERTIES =
  'Protocol ReferredBy Replaces Via StreamQuality ResponseCode ResponsePhrase VendorDiagnostics VendorDiagnosticsClient VendorDiagnosticsPublic ' +
  'CaptureDevice PacketLossRate Fancy Owner Average Route';
const KINDS = 'StartOrUpdate Start Update Ended Bye Error QualityUpdate InCallQuality Invite LRSInvite';
const DIAGNOSTICS_KEYS =
  'reason source dn calling called targetSip Initiator AppUri appName component UserUri CallerName Unknown to from name ErrorType HRESULT';
const SDP_LINES = [
  'o=%',
  'o=- 1 1 IN IP4 %',
  's=%',
  'i=%',
  'u=%',
  'e=%',
  'p=%',
  'k=%',
  'c=%',
  'b=%',
  't=%',
  'm=%',
  'y=%',
  'a=%',
  'a=%:1',
  'a=x-%:1',
  'a=x-source:%',
  'a=cname:%',
  'a=ssrc:1 cname:%',
  'a=ssrc:1 msid:%',
  'a=msid:%',
  'a=label:%',
  'a=mid:%',
  'a=rtpmap:96 %/8000',
  'a=fmtp:96 %',
  'a=candidate:% 1 udp 1 10.0.0.1 1 typ host',
  'a=ice-ufrag:%',
  'a=ice-pwd:%',
  'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:%',
  'a=fingerprint:%',
  'a=extmap:1 http://%',
  'a=group:BUNDLE %',
  'a=tool:%',
  '%',
  '--%',
  'Content-ID: %',
  'X-%: 1',
];

interface Parts {
  readonly connection?: string;
  readonly events?: string;
  readonly rest?: string;
  readonly attributes?: string;
}

function document(version: string, { connection = '', events = '', rest = '', attributes = '' }: Parts): string {
  return `<Diagnostics Version="${version}"${attributes}><ConnectionInfo><CallId>0123456789abcdef</CallId><FrontEnd>fe1.example.test</FrontEnd>${connection}</ConnectionInfo>${events}${rest}</Diagnostics>`;
}

function elements(names: string, secret: string): string {
  return names
    .split(' ')
    .map((name) => `<${name} Type="${secret}" Kind="${secret}">${secret}</${name}>`)
    .join('');
}

/** Records that contain the secret in every place where a text is possible. */
function documents(version: string, secret: string): readonly string[] {
  const name = namely(secret);
  const unknown = `<${name} ${name}="4711">4711</${name}>`;
  const plain = secret.replaceAll('&quot;', '');
  const diagnostics = DIAGNOSTICS_KEYS.split(' ').flatMap((key) => [
    `${key}=${plain}`,
    `${key}="${plain}"`,
    `${key}="${plain} \\" ${plain}"`,
  ]);
  const texts = [secret, `${plain}="x";1`, `1;${diagnostics.join(';')}`];
  const properties = `${elements(PROPERTIES, secret)}${unknown}<Codec Name="${secret}"/><EstimatedBandwidth Codec="${secret}"/>`;
  const ends = elements(ENDPOINT, secret) + unknown;
  const events = KINDS.split(' ').flatMap((kind) => [
    `<${kind} Type="audio"><From>${ends}</From><To>${ends}</To><EndPoint>${ends}</EndPoint><Caller>${ends}</Caller></${kind}>`,
    `<${kind} Type="${secret}"><Properties>${properties}</Properties><Route><Hop RTT="1">${secret}</Hop></Route></${kind}>`,
  ]);
  const failures = texts.map(
    (text) => `<Error><EndPoint/><Properties><VendorDiagnostics>${text}</VendorDiagnostics></Properties></Error>`,
  );
  const sdp = SDP_LINES.map((line) => line.replaceAll('%', secret)).join('\r\n');
  return [
    document(secret, {}),
    document(version, { attributes: ` Lang="${secret}" ${name}="1"` }),
    document(version, { connection: elements(CONNECTION, secret) + unknown }),
    document(version, { connection: `<FrontEnd>${secret}</FrontEnd>` }),
    document(version, { events: '<QualityUpdate/>' }).replace(
      '<ConnectionInfo',
      `<ConnectionInfo Originator="${secret}"`,
    ),
    document(version, {
      rest: `${unknown}<Route><Hop RTT="1">${secret}</Hop></Route><Fancy><Inner>${secret}</Inner></Fancy>`,
    }),
    document(version, { rest: `<Properties>${properties}</Properties>` }),
    document(version, { rest: `<RawSDP>v=0\r\n${sdp}\r\n</RawSDP>` }),
    ...[...events, ...failures].map((event) => document(version, { events: event })),
  ];
}

/** In the form of an element name, which has no spaces. */
function namely(secret: string): string {
  return `Z${secret.replaceAll(/[^\w.-]/g, '')}`;
}

/** None of their words is a word of the feed, a host address or an id. */
const SECRETS = [
  'Zoë (zaphod) Beeblebrox!',
  'sip:zaphod@a.test',
  '&quot;Zaphod&quot; &lt;sip:zaphod@a.test&gt;',
  'a zaphod,42@a.test',
];
/** A single word may be a host name, or an id that links calls: these fields are excluded for it. */
const ONE_WORD = 'Zaphodbeeblebrox';
const MACHINES =
  /<(?:Relay|Trunk|DNSSuffix|Replaces|SourcePool|Pools|CorrelationId|ConversationId|ConferenceId|FrontEnd) ?[^>]*>[^<]*Zaphod[^<]*<[^>]*>/gi;
const PLANTED = /.{0,60}(?:zaphod|beeblebrox|zoë).{0,20}/i;

function feedRecordFromXml(xml: string): FeedRecord | undefined {
  const message = readFeedMessage(xml, defaultProfile);
  if (message.kind !== 'record') return undefined;
  const { record } = message;
  return feedRecord({ id: 'r1', receivedAt: Date.UTC(2026, 2, 2), record, xml });
}

/** Everything that is sent when users are hidden. */
async function shownOf(record: FeedRecord): Promise<string> {
  const { call } = deriveCall([record]);
  const stored = {
    id: record.id,
    kinds: [],
    version: null,
    cseq: null,
    rawSdp: null,
    frontEnds: record.record.connection.frontEnds,
    sentAt: null,
    remoteAddress: null,
    certificateSubject: 'CN=Zaphod Beeblebrox,O=of Zaphod+UID=zaphod',
    receivedAt: '2026-03-02T00:00:00Z',
  };
  const content: DiagnosticsRecord = record.record;
  const whole = await view.call({ call, linked: [], records: [{ ...stored, xml: '', content }], recordsLeftOut: 0 });
  const course = await callCoursePage({
    records: [record],
    rules: defaultRules,
    history: NO_HISTORY,
    limit: 10,
    limitMs: 60_000,
  });
  const row = listedCall(call);
  const [hidden = row] = await view.all<ListedCall>([row]);
  return [
    JSON.stringify(whole),
    JSON.stringify(await view.page(course?.items ?? [])),
    csvLine(hidden),
    JSON.stringify(hiding.data(content)),
  ].join('\n');
}

describe.each(['1.0', 'C', 'D'])('a record of version %s with hidden users', (version) => {
  async function leaksOf(written: readonly string[]): Promise<readonly string[]> {
    const leaks: string[] = [];
    let read = 0;
    for (const xml of written) {
      const record = feedRecordFromXml(xml);
      if (record === undefined) continue;
      read++;
      leaks.push(...(PLANTED.exec(await shownOf(record)) ?? []));
    }
    expect(read).toBeGreaterThan(20);
    return leaks;
  }

  it.each(SECRETS)('does not show %s in any place', async (secret) => {
    expect(await leaksOf(documents(version, secret))).toEqual([]);
  });

  it('shows a single word only as a host name or as an id that links calls', async () => {
    const written = documents(version, ONE_WORD).map((xml) => xml.replaceAll(MACHINES, ''));
    expect(await leaksOf(written)).toEqual([]);
  });
});

describe('a usual record with hidden users', () => {
  it('keeps what is needed to understand it', async () => {
    const error = `<Error><EndPoint><Id>5f3a90c1</Id><URI>sip:anna@example.test</URI><UserAgent>UCCAPI/16.0 OC/16.0 (Skype for Business)</UserAgent></EndPoint>
      <Properties><ResponseCode Code="486">Busy Here</ResponseCode><VendorDiagnostics>51004; reason="Action initiated by user"; source="fe1.example.test"</VendorDiagnostics></Properties></Error>`;
    const record = feedRecordFromXml(document('1.0', { events: error }));
    const shown = record === undefined ? '' : await shownOf(record);
    for (const part of [
      `sip:${hiding.token('anna')}@example.test`,
      'UCCAPI/16.0 OC/16.0 (Skype for Business)',
      'Busy Here',
      'Action initiated by user',
      'fe1.example.test',
      '5f3a90c1',
    ])
      expect(shown).toContain(part);
    expect(shown.replaceAll('CN=hidden-', '').replaceAll('O=hidden-', '').replaceAll('UID=hidden-', '')).not.toContain(
      'hidden-',
    );
  });
});
