import { AT } from '@ringdown/capture/test/generated-capture.js';
import { WRAPPINGS, type Wrapping } from '@ringdown/capture/test/generated-captures.js';
import { ethernet, udp, writeInterfaces } from '@ringdown/capture/test/write-pcap.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CALL_SCRIPTS } from './differential/call-scripts.js';
import { callsByRecords } from './differential/calls-by-records.js';
import { callsByTshark } from './differential/calls-by-tshark.js';
import type { ObservedCall, ObservedStream, StreamName } from './differential/observed-call.js';
import { ScriptedCall } from './differential/scripted-call.js';

/** Between the starts of two calls. */
const APART_MS = 20_000;
const ETHERNET: Wrapping = { name: 'Ethernet', linkType: 1, wrap: (packet) => ethernet(packet), version: 4 };
/** With their origins and licences. */
const PUBLIC = join(import.meta.dirname, '..', '..', 'test', 'public-captures');
/** How many calls begin in each. */
const INVITED: Readonly<Record<string, number>> = {
  'ipfixprobe-sip.pcap': 9,
  'pcapplusplus-sip_non_default_port.pcap': 1,
  'pcapplusplus-sip_reqs.pcap': 1,
  'pcapplusplus-sip_resp.pcap': 0,
  'zeek-invalid-content-length.pcap': 1,
  'zeek-wireshark.pcap': 4,
};
/** NFLOG has the byte order of the machine, which a file of another order does not tell. */
const NFLOG = 239;

const STREAMS: readonly StreamName[] = ['caller', 'callee', 'caller video', 'callee video'];

interface Captured {
  readonly name: string;
  readonly callId: string;
  readonly linkType: number;
  readonly frames: readonly { readonly at: number; readonly bytes: Buffer }[];
}

/** Each script on Ethernet, and each link and tunnel with one of the scripts. */
const PLANS = [
  ...Object.keys(CALL_SCRIPTS).map((script) => ({ script, link: ETHERNET })),
  ...WRAPPINGS.filter(({ linkType }) => linkType !== NFLOG).map((link, n) => ({
    script: Object.keys(CALL_SCRIPTS)[n % Object.keys(CALL_SCRIPTS).length] ?? '',
    link,
  })),
];

const CAPTURES: readonly Captured[] = PLANS.map(({ script, link: { name, linkType, wrap, version } }, index) => {
  const call = new ScriptedCall(index, AT + index * APART_MS, version);
  CALL_SCRIPTS[script]?.(call);
  const packets = call.packets.toSorted((a, b) => a.at - b.at);
  const frames = packets.map(({ at, from, to, bytes }) => ({ at: Math.round(at), bytes: wrap(udp(from, to, bytes)) }));
  return { name: `${script}, in ${name}`, callId: call.callId, linkType, frames };
});

describe('calls in captures, compared with tshark', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ringdown-calls-'));
  let ours: ReadonlyMap<string, ObservedCall>;
  let theirs: ReadonlyMap<string, ObservedCall>;

  beforeAll(async () => {
    const file = join(folder, 'calls.pcapng');
    const bytes = writeInterfaces(CAPTURES);
    writeFileSync(file, bytes);
    [ours, theirs] = [callsByRecords(bytes), await callsByTshark(file)];
  }, 180_000);
  afterAll(() => rmSync(folder, { recursive: true }));

  it('are at least 60, and no others', () => {
    expect(CAPTURES.length).toBeGreaterThanOrEqual(60);
    expect([...theirs.keys()].toSorted()).toEqual(CAPTURES.map(({ callId }) => callId).toSorted());
    expect([...ours.keys()].toSorted()).toEqual([...theirs.keys()].toSorted());
  });

  it.each(CAPTURES)('have equal parties, outcome, times, codec, media and quality: $name', ({ callId }) => {
    expect(theirs.has(callId)).toBe(true);
    expectAgreement(ours.get(callId), theirs.get(callId));
  });
});

describe('calls in public captures, compared with tshark', () => {
  it.each(Object.keys(INVITED))('are equal: %s', async (name) => {
    const file = join(PUBLIC, name);
    const [ours, theirs] = [callsByRecords(readFileSync(file)), await callsByTshark(file)];
    // The sender also reports calls whose invitation was not captured; of these tshark shows no parties and no outcome.
    for (const [callId, their] of theirs) expectAgreement(ours.get(callId), their);
    expect(theirs.size).toBe(INVITED[name]);
  });
});

function expectAgreement(our: ObservedCall | undefined, their: ObservedCall | undefined): void {
  expect(withoutMeasures(our)).toEqual(withoutMeasures(their));
  expectNear(our?.startedAt, their?.startedAt, 1_000);
  expectNear(our?.endedAt, their?.endedAt, 1_000);
  expect(Object.keys(our?.streams ?? {}).toSorted()).toEqual(Object.keys(their?.streams ?? {}).toSorted());
  for (const name of STREAMS) expectSameQuality(our?.streams[name], their?.streams[name]);
}

function withoutMeasures(call: ObservedCall | undefined): object {
  return { ...call, startedAt: undefined, endedAt: undefined, streams: undefined };
}

/** Within 1 %; records have four digits of a share, and tenths of a millisecond. */
function expectSameQuality(our: ObservedStream | undefined, their: ObservedStream | undefined): void {
  if (their === undefined) return;
  expectNear(our?.loss, their.loss, 0.01 * their.loss + 5e-5);
  expectNear(our?.jitter, their.jitter, 0.01 * their.jitter + 0.05);
  expectNear(our?.maxJitter, their.maxJitter, 0.01 * their.maxJitter + 0.05);
  // Without reports, ours is what the captured stream itself shows.
  if (their.reportedLoss !== undefined) expectNear(our?.reportedLoss, their.reportedLoss, 1e-4);
  // Two halves, each in whole milliseconds.
  expectNear(our?.roundTrip, their.roundTrip, 2);
}

/** Both absent, or both within this difference. */
function expectNear(our: number | undefined, their: number | undefined, difference: number): void {
  expect(our === undefined).toBe(their === undefined);
  expect(Math.abs((our ?? 0) - (their ?? 0))).toBeLessThanOrEqual(difference);
}
