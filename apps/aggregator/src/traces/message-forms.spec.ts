import type { CallMessage } from './call-message.js';
import { asText } from './message-forms.js';

const MESSAGE: CallMessage = {
  id: 'm1',
  callId: 'c1',
  at: 1_772_615_727_000_001,
  source: { ip: '192.0.2.1', port: 5_060 },
  destination: { ip: '2001:db8::1', port: 5_061 },
  content: 'sip',
  payload: Buffer.from('BYE sip:b@x SIP/2.0\r\n\r\n'),
  points: [{ frontEnd: 'fe1', name: 'p1', at: 1_772_615_727_000_001 }],
};

describe('messages as text', () => {
  it('have a line with time, addresses and points before each', () => {
    const head = '2026-03-04T09:15:27.000001Z 192.0.2.1:5060 -> [2001:db8::1]:5061 (fe1/p1)';
    expect(asText([MESSAGE, MESSAGE])).toBe(`${head}\nBYE sip:b@x SIP/2.0\n\n${head}\nBYE sip:b@x SIP/2.0\n`);
  });

  it('cannot control a terminal', () => {
    const payload = Buffer.from('BYE sip:b@x SIP/2.0\r\nSubject: \u0000\u001b[2J\u009b1m\u202e\tend\r\n\r\n');
    const points = [{ frontEnd: 'fe\u0007\n1', name: null, at: 0 }];
    const text = asText([{ ...MESSAGE, payload, points }]);
    expect(text).toContain('(fe\\u0007\\u000a1)\n');
    expect(text).toContain('SIP/2.0\r\nSubject: \\u0000\\u001b[2J\\u009b1m\\u202e\tend\n');
  });
});
