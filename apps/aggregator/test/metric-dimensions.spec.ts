import { DIMENSIONS, type Dimension } from '@ringdown/call-catalogue/filters';
import { Statistics } from '../src/store/statistics/statistics.js';
import { published } from './feed-examples.js';
import { StoreUnderTest } from './store-under-test.js';

const JITTER = 20;
const CALLER = `<Id>a1</Id><URI>sip:anna@example.test</URI><IP>10.0.0.1</IP><UserAgent>Phone/4</UserAgent>
  <Connection>Ethernet</Connection><Relay>192.0.2.200</Relay><Trunk>Trunk1</Trunk><TenantId>a0b1</TenantId><SSID>Office</SSID>
  <BSSID>0a-0b-0c</BSSID><OS>Windows 11</OS><VPN>true</VPN><Inside>false</Inside><DSCPOutbound>46</DSCPOutbound>`;
const CALLEE = '<Id>b1</Id><URI>sip:ben@example.test</URI>';
const HEADER = `<FrontEnds>fe1</FrontEnds><Pools>pool1</Pools><EndedBy>Caller</EndedBy><MediaBypass>true</MediaBypass><Connectivity>DIRECT</Connectivity>
  <DialogCategory>inbound</DialogCategory>`;

function record(callId: string, minute: number, event: string): string {
  return `<Diagnostics Version="D"><ConnectionInfo><CallId>${callId}</CallId><TimeStamp>2026-03-02T10:0${minute}:00Z</TimeStamp>
    ${HEADER}</ConnectionInfo>${event}</Diagnostics>`;
}

const INVITE = `<Invite><Caller>${CALLER}</Caller><Callee>${CALLEE}</Callee></Invite>`;
const START = `<Start Type="audio"><From>${CALLER}</From><To>${CALLEE}</To></Start>`;
const ERROR = `<Error><EndPoint>${CALLER}</EndPoint><Properties><ResponseCode>486</ResponseCode>
  <VendorDiagnostics>11007;reason=busy</VendorDiagnostics></Properties></Error>`;
const REFUSED = ERROR.replace('486', '503').replace('11007;reason=busy', '10014;gateway="10.0.0.9"');
const REPORT = `<QualityUpdate Type="audio"><From>${CALLER}</From><To>${CALLEE}</To><Properties>
  <EstimatedBandwidth Codec="opus/48000"/><JitterInterArrival>${JITTER}</JitterInterArrival>
  <CaptureDevice>Headset 7</CaptureDevice><CaptureDeviceDriver>usb 3</CaptureDeviceDriver></Properties></QualityUpdate>`;

const BACK = `<Start Type="audio"><From>${CALLEE}</From><To>${CALLER}</To></Start>`;
const BYE = `<Bye><EndPoint>${CALLER}</EndPoint></Bye>`;
/** Ben hears Anna; Anna hears nothing. */
const SILENT = `${REPORT.replace('<JitterInterArrival>', '<PacketUtilization>3000</PacketUtilization><JitterInterArrival>')}
  <QualityUpdate Type="audio"><From>${CALLEE}</From><To>${CALLER}</To><Properties><PacketUtilization>0</PacketUtilization></Properties></QualityUpdate>`;

/** The type requires each dimension that statistics have. */
const VALUES: Readonly<Record<Dimension, string>> = {
  frontEnd: 'fe1',
  medium: 'audio',
  codec: 'opus/48000',
  connection: 'wired',
  userAgent: 'Phone/4',
  site: 'Berlin',
  subnet: '10.0.0.0/24',
  coverage: 'one',
  endReason: 'error',
  endedBy: 'caller',
  endCode: '486',
  errorCode: '486',
  diagnosticsCode: '11007',
  path: 'relay',
  pool: 'pool1',
  audio: 'oneWay',
  cause: 'JitterInterArrival',
  hop: 'fe1',
  refusedBy: '10.0.0.9',
  device: 'headset 7',
  driver: 'usb 3',
  os: 'windows 11',
  relay: '192.0.2.200',
  trunk: 'trunk1',
  tenantId: 'a0b1',
  ssid: 'office',
  bssid: '0a-0b-0c',
  category: 'inbound',
  dscp: '46',
  vpn: 'true',
  inside: 'false',
  mediaBypass: 'true',
};

describe('percentiles of a metric', () => {
  let on: StoreUnderTest;
  let statistics: Statistics;

  beforeAll(async () => {
    on = await StoreUnderTest.start();
    statistics = new Statistics(on.database, { subnets: [{ site: 'Berlin', net: '10.0.0.0/16' }] });
    const failed = [INVITE, ERROR, REPORT].map((event, minute) => published(record('failed', minute, event)));
    const oneWay = [START, BACK, SILENT, BYE].map((event, minute) => published(record('oneWay', minute, event)));
    const refused = [INVITE, REFUSED, REPORT].map((event, minute) => published(record('refused', minute, event)));
    const relayed = [START, REPORT].map((event, minute) => published(record('relayed', minute, event)));
    for (const each of [...failed, ...oneWay, ...refused, ...relayed]) await on.commit(each);
  });
  afterAll(() => on.stop());

  it.each(DIMENSIONS)('are known for each value of %s', async (by) => {
    const { items } = await statistics.metrics({
      filter: {},
      buckets: { from: new Date('2026-03-02T10:00:00Z'), to: new Date('2026-03-02T11:00:00Z'), seconds: 3_600 },
      metric: 'jitter',
      limit: 50,
      by,
    });
    const shown = items.map(({ value, p50, p99 }) => [value, p50, p99]);
    expect(shown).toContainEqual([VALUES[by], JITTER, JITTER]);
  });
});
