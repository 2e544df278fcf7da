import * as fc from 'fast-check';
import { messageOfHosts, plantedMessage } from '../test/planted-message.js';
import { IdentityHiding } from './identity-hiding.js';

const hiding = new IdentityHiding('a seed of the test for messages');

describe('hiding users in a message of SIP', () => {
  it('leaves no user, number, display name or session name in any generated message', () => {
    fc.assert(
      fc.property(plantedMessage, ({ secret, text }) => {
        expect(hiding.sipMessage(text).toLowerCase()).not.toContain(secret.toLowerCase());
      }),
      { numRuns: 2_000 },
    );
  });

  it('shows what is not about people', () => {
    const hidden = hiding.sipMessage(
      [
        'INVITE sip:bob@example.test SIP/2.0',
        'Via: SIP/2.0/UDP 192.0.2.9:5060;rport;branch=z9hG4bKd9a4.6b2f0c31.0',
        'Max-Forwards: 70',
        'From: "Alice" <sip:alice@example.test>;tag=5f3a90c1',
        'To: <sip:bob@example.test>',
        'Call-ID: 0123456789abcdef@192.0.2.9',
        'CSeq: 1 INVITE',
        'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, SUBSCRIBE',
        'Supported: timer, 100rel',
        'User-Agent: Asterisk PBX 18.2.0',
        'Content-Type: application/sdp',
        'Content-Length: 999',
        '',
        'v=0',
        'o=- 1 1 IN IP4 192.0.2.9',
        's=-',
        'c=IN IP4 192.0.2.9',
        't=0 0',
        'm=audio 4000 RTP/AVP 0',
        'a=rtpmap:0 PCMU/8000',
        '',
      ].join('\r\n'),
    );
    const [alice, bob] = [hiding.token('alice'), hiding.token('bob')];
    const [head = '', body = ''] = hidden.split('\r\n\r\n');
    expect(head.split('\r\n')).toEqual([
      `INVITE sip:${bob}@example.test SIP/2.0`,
      'Via: SIP/2.0/UDP 192.0.2.9:5060;rport;branch=z9hG4bKd9a4.6b2f0c31.0',
      'Max-Forwards: 70',
      `From: "${alice}" <sip:${alice}@example.test>;tag=5f3a90c1`,
      `To: <sip:${bob}@example.test>`,
      'Call-ID: 0123456789abcdef@192.0.2.9',
      'CSeq: 1 INVITE',
      'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, SUBSCRIBE',
      'Supported: timer, 100rel',
      'User-Agent: Asterisk PBX 18.2.0',
      'Content-Type: application/sdp',
      `Content-Length: ${Buffer.byteLength(body)}`,
    ]);
    expect(body).toContain('m=audio 4000 RTP/AVP 0\r\na=rtpmap:0 PCMU/8000');
  });

  it.each(['4915112345678', '+4915112345678', '4915112345678:5060', '192.0.2.300'])(
    'leaves no number in the place of a host of Via (%s)',
    (number) => {
      const hidden = hiding.sipMessage(`BYE sip:x@192.0.2.1 SIP/2.0\r\nVia: SIP/2.0/UDP ${number};rport\r\n\r\n`);
      expect(hidden).toMatch(/^Via: .*hidden-/m);
      expect(hidden).not.toContain(number);
    },
  );

  it.each(['a=mid:4915112345678', 'a=mid:0114915112345678', 'o=- 1 1 IN IP4 192.0.2.9\rc=4915112345678'])(
    'leaves no telephone number in a description (%j)',
    (line) => {
      const hidden = hiding.sipMessage(`BYE sip:x@192.0.2.1 SIP/2.0\r\nc: application/sdp\r\n\r\nv=0\r\n${line}\r\n`);
      expect(hidden).toContain('v=0');
      expect(hidden).not.toContain('4915112345678');
    },
  );

  it('leaves no name of a host but the domains of From and To in any generated message', () => {
    fc.assert(
      fc.property(messageOfHosts, ({ name, text }) => {
        expect(hiding.sipMessage(text).toLowerCase()).not.toContain(name.toLowerCase());
      }),
      { numRuns: 1_000 },
    );
  });

  it('replaces the same host by the same mark, and keeps ports, IP addresses and domains', () => {
    const hidden = hiding.sipMessage(
      [
        'INVITE sip:ben@example.test SIP/2.0',
        'Via: SIP/2.0/UDP annas-phone.lan:5062;branch=z9hG4bKd9a4',
        'Via: SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bKd9a5',
        'Record-Route: <sip:Example.TEST;lr>, <sip:[2001:db8::1]:5060;lr>',
        'From: <sip:anna@example.test>;tag=5f3a90c1',
        'To: <sip:ben@example.test>',
        'Contact: <sip:anna@ANNAS-phone.lan:5062;transport=udp>',
        '',
        '',
      ].join('\r\n'),
    );
    const [anna, ben] = [hiding.token('anna'), hiding.token('ben')];
    const [, mark = ''] = /^Via: SIP\/2\.0\/UDP (hidden-[\dA-F]{16}):5062;/m.exec(hidden) ?? [];
    expect(hidden.split('\r\n')).toEqual([
      `INVITE sip:${ben}@example.test SIP/2.0`,
      `Via: SIP/2.0/UDP ${mark}:5062;branch=z9hG4bKd9a4`,
      'Via: SIP/2.0/UDP 192.0.2.9:5060;branch=z9hG4bKd9a5',
      'Record-Route: <sip:Example.TEST;lr>, <sip:[2001:db8::1]:5060;lr>',
      `From: <sip:${anna}@example.test>;tag=5f3a90c1`,
      `To: <sip:${ben}@example.test>`,
      `Contact: <sip:${anna}@${mark}:5062;transport=udp>`,
      '',
      '',
    ]);
    expect(mark).not.toBe('');
  });

  it('leaves only reports of RTCP', () => {
    const report = Buffer.alloc(8);
    report.writeUInt32BE(0x80c90001, 0);
    const description = Buffer.concat([
      Buffer.from([0x81, 202, 0, 3, 0, 0, 0, 1, 1, 5]),
      Buffer.from('alice'),
      Buffer.alloc(1),
    ]);
    expect(hiding.rtcp(Buffer.concat([report, description]))).toEqual(report);
    expect(hiding.rtcp(Buffer.from('{"alice":1}'))).toHaveLength(0);
  });
});
