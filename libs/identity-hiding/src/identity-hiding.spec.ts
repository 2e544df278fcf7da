import * as fc from 'fast-check';
import { IdentityHiding } from './index.js';

const hiding = new IdentityHiding('a seed of enough length');
const ALICE = hiding.token('alice');
const NUMBER = hiding.token('+14255550100');

describe('the token of a user', () => {
  it('is the same for every spelling, and another with another seed', () => {
    expect(ALICE).toMatch(/^[\dA-F]{16}$/);
    expect(hiding.token('ALICE')).toBe(ALICE);
    expect(hiding.token('%61lice')).toBe(ALICE);
    expect(new IdentityHiding('another seed of enough length').token('alice')).not.toBe(ALICE);
  });

  it('is the same for every spelling of a telephone number, its extension told apart', () => {
    for (const number of ['+1-425-555-0100', '+1(425)5550100', '%2B14255550100', '+14255550100;phone-context=x']) {
      expect(hiding.token(number)).toBe(NUMBER);
    }
    expect(hiding.token('+14255550100;ext=7')).not.toBe(NUMBER);
    expect(hiding.tokenOfAddress('tel:+14255550100')).toBe(NUMBER);
    expect(hiding.tokenOfAddress('sip:Alice@example.test')).toBe(ALICE);
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
    ['to=alice@pbx, again', `to=${ALICE}@pbx, again`],
    ['sip%3Aalice%40example.test', `sip%3A${ALICE}%40example.test`],
    ['call +1 425 555 0100, or +1 (425) 555-0100', `call ${NUMBER}, or ${NUMBER}`],
    ['+14255550100 486 Busy, line +1 2 3', `${NUMBER} 486 Busy, line +1 2 3`],
    ['called +1 is short, +14255550100 is not', `called +1 is short, ${NUMBER} is not`],
    ['sip:jürgen@example.test', `sip:${hiding.token('JÜRGEN')}@example.test`],
    [`sip:o'neill@example.test`, `sip:${hiding.token(`o'neill`)}@example.test`],
    ['sip:alice:secret@example.test', `sip:${hiding.token('alice:secret')}@example.test`],
  ])('replaces the user in %j', (text, hidden) => {
    expect(hiding.text(text)).toBe(hidden);
  });

  it.each([
    'nobody is named here; reason="Call terminated"',
    'sip:example.test',
    'sip:192.0.2.7:5060',
    '2026-03-04T09:15:27.1234567+01:00',
    'UCCAPI/16.0.4266.1001 OC/16.0 (Skype for Business)',
    'fe1.example.test',
    'a @ b',
    '@example.test',
  ])('leaves %j as it is', (text) => {
    expect(hiding.text(text)).toBe(text);
  });

  it('leaves no user in any text, wherever the address stands', () => {
    const word = fc.stringMatching(/^[ a-z0-9<>"',;:=()+./[\]%-]{0,40}$/);
    const user = fc.stringMatching(/^zq[a-z0-9._~!$&*+-]{1,20}xj$/);
    fc.assert(
      fc.property(word, fc.constantFrom('sip:', 'sips:', 'mailto:', ''), user, word, (before, scheme, name, after) => {
        expect(hiding.text(`${before} ${scheme}${name}@example.test ${after}`)).not.toContain(name);
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
  ])('takes little time for %s', (_what, text) => {
    const begun = process.cpuUsage();
    hiding.diagnostics(text);
    hiding.sdp(text);
    // Quadratic time would be minutes.
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
    ['tel:+1-425-555-0100;phone-context=x', `tel:${NUMBER};phone-context=x`],
    ['alice', ALICE],
    ['sip:alice', `sip:${ALICE}`],
    ['sip:anna meyer@a.test', `sip:${hiding.token('anna meyer')}@a.test`],
    ['sip:<b>anna</b>@a.test', `sip:${hiding.token('<b>anna</b>')}@a.test`],
    ['sip:anna@home@a.test;x=alice@b.test', `sip:${hiding.token('anna@home')}@a.test;x=${ALICE}@b.test`],
    ['tel:+1(555)%2F12,34', `tel:${hiding.token('+1(555)%2F12,34')}`],
  ])('replaces all of the user in %j', (text, hidden) => {
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
  ])('leaves %j as it is', (text) => {
    expect(hiding.address(text)).toBe(text);
  });

  it('leaves nothing of a user, whatever it is made of', () => {
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
        // These end a user; and a dot without a host behind it makes the name of a server.
        fc.pre(!/[@;?]|%40/.test(user) && (host !== '' || !/[.[]/.test(user)));
        expect(hiding.address(scheme + user + host)).not.toContain('zqx');
      }),
    );
  });

  it.each(['sip:'.repeat(100_000), '@a'.repeat(200_000), `sip:${'a'.repeat(400_000)}@`, 'a%40'.repeat(100_000)])(
    'takes little time for a long one',
    (text) => {
      const begun = process.cpuUsage();
      hiding.address(text);
      expect(process.cpuUsage(begun).user / 1_000).toBeLessThan(10_000);
    },
  );
});

describe('hiding in diagnostics text', () => {
  it('knows users by their key, where no host tells them', () => {
    expect(
      hiding.diagnostics(
        '51004; reason="Action by alice@a.test"; UserUri="sip:alice@a.test"; CallerName="Alice"; to=alice; source="fe1.a.test"',
      ),
    ).toBe(
      `51004; reason="Action by ${ALICE}@a.test"; UserUri="sip:${ALICE}@a.test"; CallerName="${ALICE}"; to=${ALICE}; source="fe1.a.test"`,
    );
  });

  it('leaves what is no person', () => {
    const text = '7035;reason="ending";UserAgent="UCC/16";ServerName="x";SequenceNumber="12";component="mcu"';
    expect(hiding.diagnostics(text)).toBe(text);
  });
});

describe('hiding in SDP', () => {
  it('replaces users, telephone numbers and addresses, and leaves the media', () => {
    const sdp = [
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
      '',
    ];
    expect(hiding.sdp(sdp.join('\r\n')).split('\r\n')).toEqual([
      'v=0',
      `o=${ALICE} 1 2 IN IP4 192.0.2.1`,
      `s=${hiding.token('Alice and Bob')}`,
      `i=${hiding.token('about us')}`,
      `e=${hiding.token('alice@example.test (Alice)')}`,
      `p=${NUMBER}`,
      'c=IN IP4 192.0.2.1',
      'm=audio 50012 RTP/SAVP 104',
      `a=ssrc:1 cname:${ALICE}@example.test`,
      `a=ssrc:2 cname:${hiding.token('alice')}`,
      'a=ssrc:2 label:screen',
      '',
    ]);
  });

  it('replaces them in each of several descriptions in one message, and in its headers', () => {
    const part = ['--b1', 'Content-Type: application/sdp', 'Content-ID: <alice@pc.example.test>', '', 'v=0'];
    const parts = [1, 2].flatMap((n) => [...part, `o=alice 0 ${n} IN IP4 192.0.2.${n}`, 's=session', '']);
    const message = ['Content-Type: multipart/alternative;boundary="b1"', '', ...parts, '--b1--', ''].join('\r\n');
    expect(hiding.sdp(message)).toBe(message.replaceAll('alice', ALICE));
  });

  it('leaves what names nobody', () => {
    const sdp = 'v=0\no=- 0 0 IN IP4 192.0.2.1\ns=session\nt=0 0\n';
    expect(hiding.sdp(sdp)).toBe(sdp);
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
        metrics: { Loss: { value: 0.1 } },
        further: { Owner: 'alice@a.test', 'Party[2]/DisplayName': 'alice', 'Device@Owner': 'alice', Fancy: 'yes' },
      },
    ],
    rawSdp: 'v=0\r\no=alice 1 1 IN IP4 192.0.2.1\r\n',
    missing: null,
  };

  it('replaces users in every field, and leaves ids, numbers and addresses of machines', () => {
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
            text: `51004;user="${ALICE}";x="sip:${ALICE}@a.test"`,
          },
          metrics: { Loss: { value: 0.1 } },
          further: { Owner: `${ALICE}@a.test`, 'Party[2]/DisplayName': ALICE, 'Device@Owner': ALICE, Fancy: 'yes' },
        },
      ],
      rawSdp: `v=0\r\no=${ALICE} 1 1 IN IP4 192.0.2.1\r\n`,
      missing: null,
    });
  });
});
