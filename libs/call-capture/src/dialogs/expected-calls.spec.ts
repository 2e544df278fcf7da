import { EXPECTED_MS, ExpectedCalls, type ExpectedCall } from './expected-calls.js';

const NOW = 1_000;

function expectedCall(n: number, target = `sip:t${n}@example.test`): ExpectedCall {
  const caller = 'sip:caller@example.test';
  return { conversationId: `call-${n}`, refer: `${n}`, target, caller, referrers: [], until: NOW + EXPECTED_MS };
}

function conversationFor(calls: ExpectedCalls, target: string): string | undefined {
  const invite = { targets: [target], caller: 'sip:caller@example.test', referredBy: [] };
  return calls.find(invite, NOW, () => true)?.conversationId;
}

describe('expected calls', () => {
  it('drop the oldest of a flood of targets', () => {
    const calls = new ExpectedCalls();
    for (let n = 0; n < 2_001; n++) calls.add(expectedCall(n), NOW);
    expect(conversationFor(calls, 'sip:t0@example.test')).toBeUndefined();
    expect(conversationFor(calls, 'sip:t1@example.test')).toBe('call-1');
  });

  it('drop the oldest of a flood to one target', () => {
    const calls = new ExpectedCalls();
    const target = 'sip:queue@example.test';
    for (let n = 0; n < 17; n++) calls.add(expectedCall(n, target), NOW);
    for (let n = 16; n > 0; n--) {
      expect(conversationFor(calls, target)).toBe(`call-${n}`);
      calls.removeRefer(`${n}`);
    }
    expect(conversationFor(calls, target)).toBeUndefined();
  });
});
