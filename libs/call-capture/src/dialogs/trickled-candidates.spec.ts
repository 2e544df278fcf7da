import { BY_BOB, PlayedCall } from '../../test/played-call.js';
import { request, response, sdp } from '../../test/sip-messages.js';

const [ALICE_RTP, BOB_RTP] = [
  { ip: '192.0.2.10', port: 40_000 },
  { ip: '192.0.2.20', port: 50_000 },
];
const BY_ALICE = { to: '<sip:bob@example.test>;tag=b1' };

let call: PlayedCall;

/** No candidates are known yet; the media share one port (BUNDLE). */
function trickle(ufrag: string): string {
  const text = sdp('0.0.0.0', 9, { videoPort: 9, audio: ['a=mid:0', `a=ice-ufrag:${ufrag}`, 'a=rtcp-mux'] });
  const grouped = text.replace('t=0 0', 't=0 0\r\na=group:BUNDLE 0 1\r\na=ice-options:trickle');
  return `${grouped}a=mid:1\r\na=ice-ufrag:${ufrag}\r\na=rtcp-mux\r\n`;
}

function candidate({ ip, port }: { readonly ip: string; readonly port: number }, priority = 2_122_260_223): string {
  return `a=candidate:1 1 udp ${priority} ${ip} ${port} typ host`;
}

function info(parts: object, ufrag: string, ...candidates: readonly string[]): void {
  const lines = [`a=ice-ufrag:${ufrag}`, 'm=audio 9 RTP/SAVPF 0', 'a=mid:0', ...candidates];
  const body = `${lines.join('\r\n')}\r\n`;
  call.receive(request('INFO', { cseq: 2, contentType: 'application/trickle-ice-sdpfrag', ...parts, body }));
}

/** The last record of the media: type, from and to. */
function streams(): readonly unknown[] {
  const record = call.records.findLast(({ events }) =>
    events.some(({ kind }) => kind === 'start' || kind === 'update'),
  );
  return (record?.events ?? []).flatMap((event) => {
    if (event.kind !== 'start' && event.kind !== 'update') return [];
    const end = ({ ip, port }: { ip?: string; port?: number } = {}): string =>
      ip === undefined ? '?' : `${ip}:${port}`;
    return `${event.mediaType} ${end(event.from)} ${end(event.to)}`;
  });
}

const KNOWN = ['192.0.2.10:40000 192.0.2.20:50000', '192.0.2.20:50000 192.0.2.10:40000'];
const BOTH = ['audio', 'video'].flatMap((medium) => KNOWN.map((ends) => `${medium} ${ends}`));

beforeEach(() => {
  call = new PlayedCall();
  call.invite({ body: trickle('aaaa') });
});

describe('candidates that follow in INFO (RFC 8840)', () => {
  it('are where media go, of all media that share a port', () => {
    call.answer({ body: trickle('bbbb') });
    expect(streams()[0]).toBe('audio ? ?');
    info(BY_ALICE, 'aaaa', candidate(ALICE_RTP), candidate({ ip: '198.51.100.7', port: 1_000 }, 100));
    info(BY_BOB, 'bbbb', candidate(BOB_RTP));
    expect(streams()).toEqual(BOTH);
  });

  it('are known at the answer if they were captured before it, also those of a phone that rings', () => {
    call.receive(response('183 Session Progress', 'INVITE', { body: trickle('bbbb') }));
    info(BY_BOB, 'bbbb', candidate(BOB_RTP));
    info(BY_ALICE, 'aaaa', candidate(ALICE_RTP));
    call.answer({ body: trickle('bbbb') });
    expect(streams()).toEqual(BOTH);
    expect(call.records.flatMap(({ events }) => events.map(({ kind }) => kind))).not.toContain('update');
  });

  it('tell which side sends packets', () => {
    call.answer({ body: trickle('bbbb') });
    info(BY_BOB, 'bbbb', candidate(BOB_RTP));
    const report = { ssrc: 1, report_blocks: [{ source_ssrc: 2, fraction_lost: 64 }] };
    expect(call.report(BOB_RTP, { ip: '198.51.100.9', port: 7 }, report)).toBe('unknown medium');
  });

  it('of an earlier start of ICE, names of hosts and candidates of TCP that only connect are none', () => {
    call.answer({ body: trickle('bbbb') });
    info(BY_ALICE, 'older', candidate(ALICE_RTP));
    info(BY_ALICE, 'aaaa', candidate({ ip: '1f4712db.local', port: 50_000 }));
    info(BY_ALICE, 'aaaa', 'a=candidate:3 1 tcp 1518280447 192.0.2.10 9 typ host tcptype active');
    expect(streams()[0]).toBe('audio ? ?');
  });

  it('do not change the call when they repeat, nor when the session is refreshed', () => {
    call.answer({ body: trickle('bbbb') });
    info(BY_ALICE, 'aaaa', candidate(ALICE_RTP));
    const before = call.records.length;
    info(BY_ALICE, 'aaaa', candidate(ALICE_RTP));
    call.invite({ cseq: 3, branch: 'z9hG4bK-3', ...BY_ALICE, body: trickle('aaaa') });
    call.answer({ cseq: 3, branch: 'z9hG4bK-3', body: trickle('bbbb') });
    expect(call.records).toHaveLength(before);
  });
});
