import { sipMessageLabel, readSipMessage } from './sip-message.js';

const INVITE = [
  'INVITE sip:ben@example.test SIP/2.0',
  'Via: SIP/2.0/UDP 192.0.2.10:5060',
  'Subject: a long',
  '  subject',
  'c: application/sdp',
  '',
  'v=0',
  '',
].join('\r\n');

describe('readSipMessage', () => {
  it('separates first line, headers and body, and joins folded lines', () => {
    const message = readSipMessage(INVITE);
    expect(message).toMatchObject({ method: 'INVITE', code: undefined, body: 'v=0\n', hasDescription: true });
    expect(message.headers.map(({ name, value }) => `${name}=${value}`)).toEqual([
      'Via=SIP/2.0/UDP 192.0.2.10:5060',
      'Subject=a long subject',
      'c=application/sdp',
    ]);
  });

  it('reads code and method of a response', () => {
    const message = readSipMessage('SIP/2.0 503 Service Unavailable\r\nCSeq: 1 INVITE\r\n\r\n');
    expect(message).toMatchObject({ method: 'INVITE', code: 503, hasDescription: false });
    expect(sipMessageLabel(message)).toBe('503 Service Unavailable');
  });

  it('accepts what is not a message', () => {
    expect(readSipMessage('')).toMatchObject({ method: '', headers: [], body: '' });
    expect(readSipMessage('SIP/2.0 abc\nx\n: y\n\n')).toMatchObject({ code: 0, headers: [] });
    expect(sipMessageLabel(readSipMessage(''))).toBe('empty message');
  });
});
