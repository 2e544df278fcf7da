import type { CallMessage, TimelineItem } from '../api/answers.js';
import {
  firstFailure,
  isOfOther,
  callLadder as ladderOfContent,
  type Ladder,
  type LadderCall,
  type RelatedRecords,
} from './ladder.js';

const BEGAN = '2026-11-21T12:00:00.000Z';

function item(at: string, ...events: TimelineItem['events']): TimelineItem {
  const after = { state: 'active', endReason: null, verdict: 'unknown', cause: null, partial: false } as const;
  const sender = {
    remoteAddress: null,
    certificateSubject: null,
    feed: null,
    frontEnds: [],
    version: null,
    cseq: null,
  };
  const received = { recordId: `r${at}`, at, clock: 'frontEnd', receivedAt: at, late: false } as const;
  return { ...received, ...sender, events, cut: [], after, changed: [] };
}

function message(id: string, from: string, to: string, text: string, at = '2026-11-21T12:00:00.000001Z'): CallMessage {
  const [source, destination] = [from, to].map((address) => {
    const [ip = '', port = '5060'] = address.split('/');
    return { ip, port: Number(port) };
  }) as [CallMessage['source'], CallMessage['source']]; // oxlint-disable-line typescript/no-unsafe-type-assertion -- map keeps two
  return { id, callId: 'c1', at, source, destination, content: 'sip', text, bytes: null, points: [] };
}

const INVITE = 'INVITE sip:ben@example.test SIP/2.0\r\nCSeq: 1 INVITE\r\n\r\n';
const UNAVAILABLE = 'SIP/2.0 503 Service Unavailable\r\nCSeq: 1 INVITE\r\n\r\n';
const [PHONE, PROXY, GATEWAY] = ['192.0.2.10', '192.0.2.1', '192.0.2.20'] as const;
const anna = { uri: 'sip:anna@example.test;gruu', ip: PHONE };
const ben = { uri: 'sip:ben@example.test' };

function callLadder(
  messages: readonly CallMessage[],
  items: readonly TimelineItem[],
  related: readonly RelatedRecords[] = [],
  call?: LadderCall,
): Ladder {
  return ladderOfContent({ callId: 'c1', messages, items, related, call });
}

describe('ladderOf', () => {
  it('has a column for each address of several hops, and arrows between them', () => {
    const { columns, rows } = callLadder(
      [
        message('1', PHONE, PROXY, INVITE),
        message('2', PROXY, GATEWAY, INVITE),
        message('3', GATEWAY, PROXY, UNAVAILABLE),
      ],
      [],
    );
    expect(columns.map(({ title }) => title)).toEqual([PHONE, PROXY, GATEWAY]);
    expect(rows).toMatchObject([
      { label: 'INVITE', kind: 'request', from: 0, to: 1 },
      { label: 'INVITE', from: 1, to: 2 },
      { label: '503 Service Unavailable', kind: 'response', level: 'bad', from: 2, to: 1 },
    ]);
    expect(firstFailure(rows, 'c1')).toBe(2);
  });

  it('separates the ports of an address that sends to itself', () => {
    const { columns } = callLadder([message('1', '::1/5060', '::1/5070', INVITE)], []);
    expect(columns.map(({ title }) => title)).toEqual(['[::1]:5060', '[::1]:5070']);
  });

  it('puts records and messages in the order of their times, to the microsecond', () => {
    const { rows } = callLadder(
      [
        message('2', PHONE, PROXY, UNAVAILABLE, '2026-11-21T12:00:00.000200Z'),
        message('1', PHONE, PROXY, INVITE, '2026-11-21T12:00:00.000100Z'),
      ],
      [item(BEGAN, { kind: 'invite', caller: anna, callee: ben }), item('2026-11-21T12:00:01Z', { kind: 'bye' })],
    );
    expect(rows.map(({ label }) => label)).toEqual(['invites', 'INVITE', '503 Service Unavailable', 'hangs up']);
  });

  it('finds the column of an endpoint by its address, and then by its user', () => {
    const { columns, rows } = callLadder(
      [message('1', PHONE, PROXY, INVITE)],
      [
        item(BEGAN, { kind: 'invite', caller: anna, callee: ben }),
        item(BEGAN, { kind: 'start', mediaType: 'audio', from: ben, to: { uri: anna.uri } }),
      ],
    );
    expect(columns).toEqual([
      { title: PHONE, name: 'anna@example.test' },
      { title: PROXY, name: '' },
      { title: 'ben@example.test', name: 'ben@example.test' },
    ]);
    expect(rows.slice(0, 2)).toMatchObject([
      { label: 'invites', from: 0, to: 2, isArrow: true },
      { label: 'sends audio', from: 2, to: 0 },
    ]);
  });

  it('has the records of related calls among those of its own, and tells them apart', () => {
    const cleo = { uri: 'sip:cleo@example.test' };
    const start = (from: object, to: object): TimelineItem['events'][number] => ({ kind: 'start', from, to });
    const own = [item(BEGAN, start(anna, ben)), item('2026-11-21T12:00:02.000Z', { kind: 'ended' })];
    const leg = { callId: 'c2', items: [item('2026-11-21T12:00:01.000Z', start(ben, cleo))] };
    const { columns, rows } = callLadder([], own, [leg]);
    expect(columns.map(({ name }) => name)).toEqual(['anna@example.test', 'ben@example.test', 'cleo@example.test']);
    expect(rows.map((row) => [row.label, row.callId, isOfOther(row, 'C1')])).toEqual([
      ['sends', undefined, false],
      ['sends', 'c2', true],
      ['ended', undefined, false],
    ]);
    expect(rows[1]).toMatchObject({ from: 1, to: 2 });
  });

  it('has the addresses of its own messages at the left, and its own failure before that of a leg', () => {
    const ofLeg = (each: CallMessage): CallMessage => ({ ...each, callId: 'c2' });
    const messages = [
      ofLeg(message('1', '198.51.100.1', '198.51.100.2', INVITE)),
      ofLeg(message('2', '198.51.100.2', '198.51.100.1', UNAVAILABLE)),
      message('3', PHONE, PROXY, INVITE, '2026-11-21T12:00:00.000002Z'),
      message('4', PROXY, PHONE, UNAVAILABLE, '2026-11-21T12:00:00.000003Z'),
    ];
    const { columns, rows } = callLadder(messages, []);
    expect(columns.map(({ title }) => title)).toEqual([PHONE, PROXY, '198.51.100.1', '198.51.100.2']);
    expect(rows.map(({ from }) => from)).toEqual([2, 3, 0, 1]);
    expect(firstFailure(rows, 'C1')).toBe(3);
    expect(firstFailure(rows.slice(0, 3), 'c1')).toBe(1);
  });

  it('draws events without direction as a line, events without parties over all columns, and records without events', () => {
    const busy = { kind: 'error', endpoints: [anna, ben], responseCode: { code: 486 } };
    expect(callLadder([], [item(BEGAN, busy, { kind: 'fancy' }), item('2026-11-21T12:00:01Z')]).rows).toMatchObject([
      { label: 'error 486', from: 0, to: 1, isArrow: false, level: 'bad' },
      { label: 'fancy', from: undefined, to: undefined },
      { label: 'header only' },
    ]);
  });

  it('shows the values of reports', () => {
    const metrics = { PacketLossRate: { value: 0.4 }, RecvListenMOS: { value: 2.48 }, RoundTrip: { value: 'odd' } };
    const { rows } = callLadder([], [item(BEGAN, { kind: 'qualityUpdate', mediaType: 'audio', metrics })]);
    expect(rows).toMatchObject([{ kind: 'report', label: 'final report on audio: MOS 2.48, loss 40\u00A0%' }]);
    const video = { ...metrics, VideoPacketLossRate: { value: 0.1 } };
    expect(
      callLadder([], [item(BEGAN, { kind: 'qualityUpdate', mediaType: 'video', metrics: video })]).rows,
    ).toMatchObject([{ label: 'final report on video: MOS 2.48, loss 10\u00A0%' }]);
  });

  it('marks a repeated message, and knows the previous description of each side', () => {
    const offer = (text: string): string => `INVITE b SIP/2.0\nContent-Type: application/sdp\n\n${text}`;
    const { rows, previousDescriptions } = callLadder(
      [
        message('1', PHONE, PROXY, offer('a')),
        message('2', PHONE, PROXY, offer('a')),
        message('3', PROXY, PHONE, offer('x')),
        message('4', PHONE, PROXY, offer('b')),
      ],
      [],
    );
    expect(rows.map(({ label }) => label)).toEqual(['INVITE', 'INVITE (again)', 'INVITE', 'INVITE']);
    expect([...previousDescriptions]).toEqual([
      ['2', 'a'],
      ['4', 'a'],
    ]);
  });

  it('names packets of RTCP by their type', () => {
    const packet = { ...message('1', PHONE, PROXY, ''), content: 'rtcp', text: null, bytes: 'gMgABg==' } as const;
    expect(callLadder([packet], []).rows).toMatchObject([{ kind: 'rtcp', label: 'RTCP sender report' }]);
  });

  it('has a last column for further addresses', () => {
    const many = Array.from({ length: 100 }, (_, n) => message(`${n}`, `192.0.2.${n}`, PROXY, INVITE));
    const { columns, rows } = callLadder(many, []);
    expect(columns).toHaveLength(24);
    expect(columns.at(-1)?.title).toBe('other addresses');
    expect(Math.max(...rows.map(({ from = 0 }) => from))).toBe(23);
  });

  it('says at the answer who was not heard, as its first failure', () => {
    const audio = { heard: 'oneWay', evidence: 'noPackets', from: ben.uri, to: anna.uri } as const;
    const items = [item(BEGAN, { kind: 'start', mediaType: 'audio', from: anna, to: ben })];
    const { rows } = callLadder([], items, [], { audio, startedAt: BEGAN });
    expect(rows).toMatchObject([
      { label: 'sends audio', from: 0, to: 1 },
      { label: 'no audio from ben@example.test from here on', kind: 'event', level: 'bad', from: 1, to: 0 },
    ]);
    expect(firstFailure(rows, 'c1')).toBe(1);
  });

  it('says at the answer that nobody was heard', () => {
    const audio = { heard: 'silent', evidence: 'noMedia', from: null, to: null } as const;
    const { rows } = callLadder([], [], [], { audio, startedAt: BEGAN });
    expect(rows).toMatchObject([{ label: 'no audio in either direction from here on', from: undefined }]);
    expect(callLadder([], [], [], { audio: null, startedAt: BEGAN }).rows).toEqual([]);
  });
});
