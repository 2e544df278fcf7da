import { NotRead } from '../not-read.js';
import { response } from '../../test/sip-messages.js';
import { TcpStreams, type Segment } from './tcp-streams.js';

const [PHONE, PROXY] = [
  { ip: '10.1.0.1', port: 5_062 },
  { ip: '10.1.0.2', port: 5_060 },
];
const TRYING = response('100 Trying', 'INVITE');
const OK = response('200 OK', 'INVITE');

describe('a segment that was not captured', () => {
  let counted: NotRead;
  let streams: TcpStreams;
  beforeEach(() => {
    counted = new NotRead();
    streams = new TcpStreams(counted);
  });

  const answer = (sequence: number, payload: Buffer, at: number): Segment => ({
    addresses: { source: PROXY, destination: PHONE },
    at,
    sequence,
    payload,
    begins: false,
    ends: false,
    missing: 0,
  });
  const acknowledgement = (acknowledged: number, at: number): Segment => ({
    addresses: { source: PHONE, destination: PROXY },
    at,
    sequence: 1,
    acknowledged,
    payload: Buffer.alloc(0),
    begins: false,
    ends: false,
    missing: 0,
  });
  const read = (segment: Segment): string[] =>
    [...streams.add(segment)].map(({ at, payload }) => `${at} ${payload.toString().split('\r\n', 1)[0] ?? ''}`);

  it('holds the next messages only until the other side has acknowledged it', () => {
    expect(read(answer(1_000, TRYING, 1))).toEqual(['1 SIP/2.0 100 Trying']);
    const ringing = 180;
    const next = 1_000 + TRYING.length + ringing;
    expect(read(answer(next, OK, 2))).toEqual([]);
    expect(read(acknowledgement(1_000 + TRYING.length, 3))).toEqual([]);
    expect(read(acknowledgement(next + OK.length, 4))).toEqual(['2 SIP/2.0 200 OK']);
    expect(counted.gaps).toBe(1);
  });

  it('is counted also if it was the first of its connection', () => {
    const syn = { ...answer(999, Buffer.alloc(0), 1), begins: true };
    expect(read(syn)).toEqual([]);
    expect(read(answer(1_000 + TRYING.length, OK, 2))).toEqual([]);
    expect(read(acknowledgement(1_000 + TRYING.length + OK.length, 3))).toEqual(['2 SIP/2.0 200 OK']);
    expect(counted.gaps).toBe(1);
  });
});
