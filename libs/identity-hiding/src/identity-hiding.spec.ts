import * as fc from 'fast-check';
import { IdentityHiding } from './index.js';

const hiding = new IdentityHiding('a seed of enough length');
const text = (free: string): string => hiding.field(free, 'note');
const diagnostics = (all: string): string => hiding.field(all, 'text', 'diagnostics');
const sdp = (all: string): string => hiding.field(all, 'rawSdp');
const mark = (hidden: string): string => `hidden-${hiding.token(hidden)}`;
const ALICE = hiding.token('alice');
const NUMBER = hiding.token('+14255550100');

describe('the token of a user', () => {
  it('is the same for every spelling, and different with another seed', () => {
    expect(ALICE).toMatch(/^[\dA-F]{16}$/);
    expect(hiding.token('ALICE')).toBe(ALICE);
    expect(hiding.token('%61lice')).toBe(ALICE);
    expect(new IdentityHiding('another seed of enough length').token('alice')).not.toBe(ALICE);
  });

  it('is the same for every spelling of a telephone number, and different for another extension', () => {
    for (const number of ['+1-425-555-0100', '+1(425)5550100', '%2B14255550100', '+14255550100;phone-context=x']) {
      expect(hiding.token(number)).toBe(NUMBER);
    }
    expect(hiding.token('+14255550100;ext=7')).not.toBe(NUMBER);
    expect(hiding.tokenOfAddress('tel:+14255550100')).toBe(NUMBER);
    expect(hiding.tokenOfAddress('sip:Alice@example.test')).toBe(ALICE);
  });

  it('always has a letter, so that no number looks like a token', () => {
    // About one digest in 2,000 begins with 16 decimal digits.
    const tokens = Array.from({ length: 20_000 }, (_each, n) => hiding.token(`user${n}`));
    expect(tokens.filter((token) => !/^(?=.*[A-F])[\dA-F]{16}$/.test(token))).toEqual([]);
  });

  it('needs a seed that cannot be guessed', () => {
    expect(() => new IdentityHiding('short')).toThrow('at least 16 characters');
  });
});

describe('hiding in text', () => {
  it.each([
    ['sip:alice@example.test', `sip:${ALICE}@example.test`],
    ['SIPS:Alice@example.test:5061;transport=tls', `SIPS:${ALICE}@example.test:5061;transport=tls`],
    ['<sip:alice@192.0.2.1>', `<sip:${ALICE}@192.0.2.1>`],
    ['sip:alice@[2001:db8::1]:5060', `sip:${ALICE}@[2001:db8::1]:5060`],
    ['"Alice Adams" <sip:alice@example.test>', `"${hiding.token('alice adams')}" <sip:${ALICE}@example.test>`],
    ['Alice Adams <sip:alice@a.test>', ` ${hiding.token('alice adams')} <sip:${ALICE}@a.test>`],
    ['sip:+14255550100@gw.test;user=phone,tel:+14255550100', `sip:${NUMBER}@gw.test;user=phone,tel:${NUMBER}`],
    ['the user alice@example.test is gone.', `the user ${ALICE}@example.test is gone.`],
    ['to=alice@pbx, again', `to=${ALICE}@pbx, ${mark('again')}`],
    ['sip%3Aalice%40example.test', `sip%3A${ALICE}%40example.test`],
    ['call +1 425 555 0100, or +1 (425) 555-0100', `call ${NUMBER}, or ${NUMBER}`],
    ['+14255550100 486 Busy Here', `${NUMBER} 486 Busy Here`],
    ['call from 4711 to 201', `call from ${mark('4711')} to ${mark('201')}`],
    ['call to 0114915112345678', `call to ${mark('0114915112345678')}`],
    ['terminated by Alice Adams (Sales)', `terminated by ${mark('Alice Adams')} (${mark('Sales')})`],
    ['Gateway responded with 404 Not Found', 'Gateway responded with 404 Not Found'],
    ['sip:jürgen@example.test', `sip:${hiding.token('JÜRGEN')}@example.test`],
    [`sip:o'neill@example.test`, `sip:${hiding.token(`o'neill`)}@example.test`],
    ['sip:alice:secret@example.test', `sip:${hiding.token('alice:secret')}@example.test`],
  ])('replaces the user in %j', (given, hidden) => {
    expect(text(given)).toBe(hidden);
  });

  it.each([
    'reason="Call terminated"',
    "Encryption levels don't match",
    'hidden-0123456789ABCDEF',
    'call to 0123456789ABCDEF',
    'sip:example.test',
    'sip:192.0.2.7:5060',
    'Call/Transaction Does Not Exist',
  ])('does not change %j', (given) => {
    expect(text(given)).toBe(given);
  });

  it('hides every user in any text, wherever the address is', () => {
    const word = fc.stringMatching(/^[ a-z0-9<>"',;:=()+./[\]%-]{0,40}$/);
    const user = fc.stringMatching(/^zq[a-z0-9._~!$&*+-]{1,20}xj$/);
    fc.assert(
      fc.property(word, fc.constantFrom('sip:', 'sips:', 'mailto:', ''), user, word, (before, scheme, name, after) => {
        expect(text(`${before} ${scheme}${name}@example.test ${after}`)).not.toContain(name);
      }),
    );
  });

  it.each([
    ['many addresses', 'sip:a@b '.repeat(50_000)],
    ['schemes without end', 'sip:'.repeat(100_000)],
    ['one long word', `${'a'.repeat(400_000)}@host`],
    ['quotes', '" '.repeat(200_000)],
    ['equals signs', 'a='.repeat(200_000)],
    ['numbers', '+1('.repeat(130_000)],
    ['numbers in groups', '+1 (1 (('.repeat(50_000)],
    ['a number without end', `+1${' (1'.repeat(130_000)}(`],
    ['words of a user as a key', `${'user'.repeat(100_000)}\n=x`],
    ['digits before a letter', `user=${'1'.repeat(400_000)}a`],
    ['brackets that stay open', '@['.repeat(200_000)],
  ])('needs little time for %s', (_what, given) => {
    const begun = process.cpuUsage();
    diagnostics(given);
    sdp(given);
    for (const field of ['uri', 'userAgent', 'frontEnd', 'id']) hiding.field(given, field);
    // With quadratic time it would take minutes.
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(10_000);
  });
});

describe('hiding in an address', () => {
  it.each([
    ['sip:alice@example.test', `sip:${ALICE}@example.test`],
    ['SIPS:Alice@[2001:db8::1]:5061;transport=tls', `SIPS:${ALICE}@[2001:db8::1]:5061;transport=tls`],
    ['alice@example.test', `${ALICE}@example.test`],
    ['sip%3Aalice%40example.test', `sip%3A${ALICE}%40example.test`],
    ['"Alice" <sip:alice@a.test>', `"${ALICE}" <sip:${ALICE}@a.test>`],
    ['tel:+1-425-555-0100;phone-context=x', `tel:${NUMBER};phone-context=${mark('x')}`],
    ['alice', ALICE],
    ['sip:alice', `sip:${ALICE}`],
    ['sip:anna meyer@a.test', `sip:${hiding.token('anna meyer')}@a.test`],
    ['sip:<b>anna</b>@a.test', `sip:${hiding.token('<b>anna</b>')}@a.test`],
    ['sip:anna@home@a.test;x=alice@b.test', `sip:${hiding.token('anna@home')}@a.test;${mark('x')}=${ALICE}@b.test`],
    ['tel:+1(555)%2F12,34', `tel:${hiding.token('+1(555)%2F12,34')}`],
  ])('replaces the whole user in %j', (text, hidden) => {
    expect(hiding.address(text)).toBe(hidden);
  });

  it.each([
    '',
    'tel:',
    'sip:',
    'sip:example.test',
    'sip:192.0.2.7:5060',
    'sip:[2001:db8::7]',
    '192.0.2.7',
    '2001:db8::7',
  ])('does not change %j', (text) => {
    expect(hiding.address(text)).toBe(text);
  });

  it('hides every part of a user, whatever characters it has', () => {
    const odd = fc.constantFrom(':', '<', '>', '"', '%', ' ', '/', '(', ')', '\\');
    const anything = fc.string({
      unit: fc.oneof(odd, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 })),
      maxLength: 12,
    });
    const address = fc.tuple(
      fc.constantFrom('sip:', 'sips:', ''),
      anything,
      anything,
      fc.constantFrom('', '@a.test', '@192.0.2.1:5060'),
    );
    fc.assert(
      fc.property(address, ([scheme, before, behind, host]) => {
        const user = `${before}zqx${behind}`;
        // These end a user; and a dot without a host after it makes it the name of a server.
        fc.pre(!/[@;?]|%40/.test(user) && (host !== '' || !/[.[]/.test(user)));
        expect(hiding.address(scheme + user + host)).not.toContain('zqx');
      }),
    );
  });

  it.each([
    ['schemes', 'sip:'.repeat(100_000)],
    ['hosts without an end', '@a'.repeat(200_000)],
    ['one long user', `sip:${'a'.repeat(400_000)}@`],
    ['encoded at-signs', 'a%40'.repeat(100_000)],
    ['brackets that stay open', `sip:a${'@['.repeat(200_000)}`],
    ['brackets that stay open and ports', `sip:a${':0@['.repeat(100_000)}:4`],
    ['digits before a letter', `sip:${'1'.repeat(400_000)}a@host`],
    ['a telephone number before a letter', `tel:+${'1-'.repeat(200_000)}a`],
    ['marks without a letter', `sip:${'\u0315\u0316'.repeat(100_000)}@host`],
  ])('needs little time for %s', (_what, text) => {
    const begun = process.cpuUsage();
    hiding.address(text);
    hiding.tokenOfAddress(text);
    expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(2_000);
  });

  it('reads a host in brackets only up to the length of an address, and hides a longer one', () => {
    const long = `[${'2001:'.repeat(20)}]`;
    expect(hiding.address(`sip:alice@${long}`)).toBe(`sip:${hiding.token(`alice@${long}`)}`);
    expect(hiding.address('sip:anna@[x@a.test')).toBe(`sip:${hiding.token('anna@[x')}@a.test`);
  });
});

describe('hiding in diagnostics text', () => {
  it('recognises users by their key if they have no host', () => {
    expect(
      diagnostics(
        '51004; reason="Action by alice@a.test"; UserUri="sip:alice@a.test"; CallerName="Alice"; to=alice; source="fe1.a.test"',
      ),
    ).toBe(
      `51004; reason="Action by ${ALICE}@a.test"; UserUri="sip:${ALICE}@a.test"; CallerName="${ALICE}"; to=${ALICE}; source="fe1.a.test"`,
    );
  });

  it('does not change values that are not people', () => {
    const given =
      '7035;reason="ending";UserAgent="UCCAPI/16.0";ServerName="fe1";SequenceNumber="12";component="conference"';
    expect(diagnostics(given)).toBe(given);
  });
});

describe('hiding in other fields', () => {
  it.each([
    ['userAgent', 'UCCAPI/16.0.4266.1001 OC/16.0 (Skype for Business)', undefined],
    ['userAgent', "Alice's Phone/1.0", `${mark("Alice's")} Phone/1.0`],
    ['os', 'Windows 10.0.18363 SP: 0.0 Type: 1(Workstation) Suite: 256 Arch: x64 WOW64: True', undefined],
    ['cpuName', 'Intel(R) Core(TM) i5-8350U CPU @ 1.70GHz', undefined],
    ['frontEnd', 'fe1.example.test', undefined],
    ['frontEnd', 'of Alice', mark('of Alice')],
    ['id', '5f3a90c1', undefined],
    ['id', 'alice1', mark('alice1')],
    ['callId', 'a84b4c76e66710@pc33.example.test', undefined],
    ['callId', 'Y2FsbCAxMjM', undefined],
    [
      'via',
      'SIP/2.0/TLS 192.0.2.1:5061;branch=14255550100',
      `SIP/2.0/TLS 192.0.2.1:5061;branch=${mark('14255550100')}`,
    ],
    ['callId', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6@192.0.2.1:5060', undefined],
    ['callId', '1234567890123456@192.0.2.1', undefined],
    ['certificateSubject', 'CN=fe1.example.test,O=hidden-0123456789ABCDEF', undefined],
    ['certificateSubject', 'CN=Alice', `CN=${mark('Alice')}`],
    ['certificateSubject', 'cn=fe1.example.test,o=alice', `cn=fe1.example.test,o=${mark('Alice')}`],
    ['certificateSubject', 'CN=Alice\\, Bob+UID=alice1', `CN=${mark('Alice\\')},${mark(' Bob')}+UID=${mark('alice1')}`],
    ['ip', '2001:db8::1', undefined],
    ['ip', 'alice', mark('alice')],
    ['ssid', 'Alice at home', mark('Alice at home')],
    ['endCode', '486', undefined],
    ['errorCode', '503', undefined],
    ['diagnosticsCode', '52101', undefined],
    ['errorCode', 'of Alice', mark('of Alice')],
    ['timeStamp', '2026-03-04T09:15:27.1234567+01:00', undefined],
    ['timeStamp', 'when Alice called', mark('when Alice called')],
    [
      'via',
      'SIP/2.0/TLS 192.0.2.1:5061;branch=z9hG4bKalice',
      `SIP/2.0/TLS 192.0.2.1:5061;branch=${mark('z9hG4bKalice')}`,
    ],
  ])('shows in %s %j only what cannot be a name', (field, given, shown = given) => {
    expect(hiding.field(given, field)).toBe(shown);
    expect(hiding.field(shown, field)).toBe(shown);
  });
});

describe('hiding ids of calls', () => {
  const shown = (callId: string): string => hiding.field(callId, 'callId');

  it.each([
    'alice@example.test',
    'alice%40example.test',
    'alice.20260302@192.0.2.1',
    '4711@example.test',
    '+1-425-555-0100@192.0.2.1',
    'sip:alice@example.test',
    'call of Alice',
  ])('hides all of %s, because the part before the host may name a user', (callId) => {
    expect(shown(callId)).toMatch(/^hidden-[\dA-F]{16}$/);
    expect(shown(shown(callId))).toBe(shown(callId));
    expect(shown(callId.toUpperCase().replace('SIP:', 'sip:'))).toBe(shown(callId));
  });

  it('keeps two ids different, even if they would be the same user', () => {
    const ids = ['+1-425;a@h.test', '+1425;a@h.test', '+1425;b@h.test', 'alice;1@h.test', 'alice;2@h.test'];
    expect(new Set(ids.map(shown)).size).toBe(ids.length);
  });
});

describe('hiding in SDP', () => {
  it('replaces users, telephone numbers and addresses, and keeps the media', () => {
    const lines = [
      'v=0',
      'o=alice 1 2 IN IP4 192.0.2.1',
      's=Alice and Bob',
      'i=about us',
      'e=alice@example.test (Alice)',
      'p=+1 425 555 0100',
      'c=IN IP4 192.0.2.1',
      'm=audio 50012 RTP/SAVP 104',
      'a=ssrc:1 cname:alice@example.test',
      'a=ssrc:2 cname:alice',
      'a=ssrc:2 label:screen',
      'a=ssrc:2 msid:alice-laptop 1',
      'a=x-alice:here',
      'u=http://example.test/alice',
      'k=clear:secret',
      'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:c2VjcmV0',
      'a=ice-pwd:secret',
      'a=rtpmap:104 SILK/16000',
      'a=candidate:1 1 UDP 2130706431 192.0.2.1 50012 typ host',
      '',
    ];
    expect(sdp(lines.join('\r\n')).split('\r\n')).toEqual([
      'v=0',
      `o=${ALICE} 1 2 IN IP4 192.0.2.1`,
      `s=${mark('Alice and Bob')}`,
      `i=${mark('about us')}`,
      `e=${mark('alice@example.test (Alice)')}`,
      `p=${NUMBER}`,
      'c=IN IP4 192.0.2.1',
      'm=audio 50012 RTP/SAVP 104',
      `a=ssrc:1 cname:${ALICE}@example.test`,
      `a=ssrc:2 cname:${mark('alice')}`,
      'a=ssrc:2 label:screen',
      `a=ssrc:2 msid:${mark('alice')}-${mark('laptop')} 1`,
      `a=${mark('x-alice:here')}`,
      `u=${mark('http://example.test/alice')}`,
      `k=${mark('clear:secret')}`,
      `a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:${mark('c2VjcmV0')}`,
      `a=ice-pwd:${mark('secret')}`,
      'a=rtpmap:104 SILK/16000',
      'a=candidate:1 1 UDP 2130706431 192.0.2.1 50012 typ host',
      '',
    ]);
  });

  it('replaces them in each of several descriptions in one message, and in its headers', () => {
    const part = ['--b1', 'Content-Type: application/sdp', 'Content-ID: <alice@pc.example.test>', '', 'v=0'];
    const parts = [1, 2].flatMap((n) => [...part, `o=alice 0 ${n} IN IP4 192.0.2.${n}`, 's=session', '']);
    const message = ['Content-Type: multipart/alternative;boundary="b1"', '', ...parts, '--b1--', ''].join('\r\n');
    const contentId = '<alice@pc.example.test>';
    const hidden = message.replaceAll(contentId, mark(contentId)).replaceAll('alice', ALICE);
    expect(sdp(message)).toBe(hidden.replaceAll('b1', mark('b1')));
  });

  it('does not change what names no person', () => {
    const nobody = 'v=0\no=- 0 0 IN IP4 192.0.2.1\ns=session\nt=0 0\n';
    expect(sdp(nobody)).toBe(nobody);
  });
});

describe('hiding in data', () => {
  const record = {
    version: 'D',
    connection: { callId: 'abc@192.0.2.1', conferenceUri: 'sip:alice@a.test;gruu', cseq: 1 },
    events: [
      {
        kind: 'error',
        from: { id: 'a1', uri: 'sip:alice@a.test', contact: '<sip:alice@192.0.2.1>', ip: '192.0.2.1', port: 5060 },
        diagnostics: {
          code: 51004,
          items: [{ key: 'user', value: 'alice' }],
          text: '51004;user="alice";x="sip:alice@a.test"',
        },
        metrics: { PacketLossRate: { value: 0.1 }, Loss: { value: 0.2 } },
        further: { Owner: 'alice@a.test', 'Party[2]/DisplayName': 'alice', 'Device@Owner': 'alice', Fancy: 'yes' },
      },
    ],
    rawSdp: 'v=0\r\no=alice 1 1 IN IP4 192.0.2.1\r\n',
    missing: null,
  };

  it('shows the codec of a captured stream, and no name in its place', () => {
    const metricsOf = (value: string): unknown => hiding.data({ metrics: { CapturedCodec: { value } } });
    expect(metricsOf('PCMU/8000')).toEqual({ metrics: { CapturedCodec: { value: 'PCMU/8000' } } });
    expect(JSON.stringify(metricsOf('of Zaphod'))).not.toContain('Zaphod');
  });

  it('replaces users in every field, and keeps ids, numbers and addresses of machines', () => {
    expect(hiding.data(record)).toEqual({
      version: 'D',
      connection: { callId: 'abc@192.0.2.1', conferenceUri: `sip:${ALICE}@a.test;gruu`, cseq: 1 },
      events: [
        {
          kind: 'error',
          from: {
            id: 'a1',
            uri: `sip:${ALICE}@a.test`,
            contact: `<sip:${ALICE}@192.0.2.1>`,
            ip: '192.0.2.1',
            port: 5060,
          },
          diagnostics: {
            code: 51004,
            items: [{ key: 'user', value: ALICE }],
            text: `51004;user="${ALICE}";${mark('x')}="sip:${ALICE}@a.test"`,
          },
          metrics: { PacketLossRate: { value: 0.1 }, [mark('Loss')]: { value: mark('0.2') } },
          further: {
            Owner: `${ALICE}@a.test`,
            'Party[2]/DisplayName': ALICE,
            'Device@Owner': ALICE,
            [mark('Fancy')]: 'yes',
          },
        },
      ],
      rawSdp: `v=0\r\no=${ALICE} 1 1 IN IP4 192.0.2.1\r\n`,
      missing: null,
    });
  });
});
