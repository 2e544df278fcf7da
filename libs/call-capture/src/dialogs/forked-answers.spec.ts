import type { RecordEvent } from '@ringdown/xml-schemas/record';
import { PlayedCall } from '../../test/played-call.js';
import { request, response, sdp, type MessageParts } from '../../test/sip-messages.js';

const ALICE = sdp('192.0.2.10', 4_000);
const BOB = sdp('192.0.2.20', 5_000);
const RELAY = sdp('192.0.2.5', 6_000);

/** The branches on the way to each device, the nearest one to Alice last. */
const PATHS = { outer: ['a'], toBob: ['b', 'a'], toCarol: ['c', 'a'], behind: ['d', 'c', 'a'] } as const;
type Hop = keyof typeof PATHS;

function at(hop: Hop, parts: MessageParts = {}): MessageParts {
  const [first = '', ...others] = PATHS[hop].map((branch) => `z9hG4bK-${branch}`);
  const headers = others.map((branch) => `Via: SIP/2.0/UDP 192.0.2.10:5060;branch=${branch}`);
  return { branch: first, headers, ...parts };
}

/** Alice calls Bob and Carol, who has one proxy more before her. */
class ForkedCall extends PlayedCall {
  invited(...hops: readonly Hop[]): this {
    for (const hop of hops) this.next(request('INVITE', at(hop, { body: ALICE })));
    return this;
  }

  /** Two milliseconds after the one before. */
  private next(bytes: Buffer): readonly RecordEvent[] {
    this.now -= 998;
    return this.receiveAtOnce(bytes);
  }

  answers(status: string, device: 'bob' | 'carol', ...hops: readonly Hop[]): readonly unknown[] {
    return hops.flatMap((hop) => {
      const body = !status.startsWith('200') ? '' : hop === 'outer' ? RELAY : BOB;
      const to = `<sip:bob@example.test>;tag=${device}`;
      const events = this.next(response(status, 'INVITE', at(hop, { to, body })));
      return events.map((event) => ('to' in event ? `${hop}: ${event.kind} ${event.to?.ip}` : `${hop}: ${event.kind}`));
    });
  }
}

describe('the answer of one device of a forked call', () => {
  let call: ForkedCall;

  beforeEach(() => {
    call = new ForkedCall();
  });

  it('is reported at once although the INVITE went farther to another device', () => {
    call.invited('outer', 'toBob', 'toCarol', 'behind');
    expect(call.answers('200 OK', 'bob', 'toBob', 'outer')).toEqual([
      'toBob: start 192.0.2.20',
      'toBob: start 192.0.2.10',
    ]);
  });

  it('is reported at once without its own INVITE if another device rings', () => {
    call.invited('outer', 'toCarol', 'behind');
    call.answers('180 Ringing', 'carol', 'behind', 'toCarol', 'outer');
    expect(call.answers('200 OK', 'bob', 'outer')).toEqual(['outer: start 192.0.2.5', 'outer: start 192.0.2.10']);
  });

  it('is reported at once without its own INVITE if another device is busy', () => {
    call.invited('outer', 'toCarol');
    call.answers('486 Busy Here', 'carol', 'toCarol');
    expect(call.answers('200 OK', 'bob', 'outer')).toEqual(['outer: start 192.0.2.5', 'outer: start 192.0.2.10']);
  });

  it('waits for its copy behind the proxy, where its INVITE was', () => {
    call.invited('outer', 'toBob', 'toCarol', 'behind');
    call.answers('180 Ringing', 'carol', 'behind', 'toCarol', 'outer');
    expect(call.answers('200 OK', 'bob', 'outer', 'toBob')).toEqual([
      'toBob: start 192.0.2.20',
      'toBob: start 192.0.2.10',
    ]);
  });
});
